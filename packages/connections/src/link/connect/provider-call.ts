import { isAppError } from '@pulsewire/kernel';
import { linkError } from '../session/link-error.ts';

/**
 * Awaits a call to a provider. Rejections are part of its result, so an error is a failure of the provider: a link error
 * `provider_api_error`.
 */
export async function awaitProvider<Outcome>(call: Promise<Outcome>): Promise<Outcome> {
  try {
    return await call;
  } catch (error) {
    if (!isAppError(error) || !error.code.startsWith('provider_')) throw error;
    throw linkError('provider_api_error', 'The provider could not be reached or failed', error);
  }
}
