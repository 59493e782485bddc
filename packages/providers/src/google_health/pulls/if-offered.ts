import { errorCode } from '@pulsewire/kernel';

/** What Google refuses for one data type only: an operation that the type does not have, or a scope that was not granted. */
const refused = new Set(['provider_permanent', 'provider_scope_missing']);

/** The result of a call for one of several data types; null when Google does not offer it, so that the others continue. */
export async function ifOffered<T>(call: () => Promise<T>): Promise<T | null> {
  try {
    return await call();
  } catch (error) {
    if (!refused.has(errorCode(error))) throw error;
    return null;
  }
}
