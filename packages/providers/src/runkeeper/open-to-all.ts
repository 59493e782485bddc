import { errorCode } from '@pulsewire/kernel';
import { providerError } from '../kit/http/provider-error.ts';

/** The user's record and the list of activities are open to every application: when one is rejected, the access was withdrawn. */
export async function openToAll<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (errorCode(error) === 'provider_scope_missing') throw providerError('provider_token_expired', { status: 403 });
    throw error;
  }
}
