import { isAppError } from '@pulsewire/kernel';
import { linkError } from '../session/link-error.ts';

/** What the provider answered; a call that broke off is the provider's failure, whatever the cause: its refusals are answers. */
export async function asked<Outcome>(call: Promise<Outcome>): Promise<Outcome> {
  try {
    return await call;
  } catch (error) {
    if (!isAppError(error) || !error.code.startsWith('provider_')) throw error;
    throw linkError('provider_api_error', 'The provider could not be reached or failed', error);
  }
}
