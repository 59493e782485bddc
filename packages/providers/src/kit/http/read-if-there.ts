import { errorCode } from '@pulsewire/kernel';
import type { ProviderAnswer, ProviderHttp } from '../types/connector.ts';

/** Reads something that may not exist: returns null on a permanent error (404, 400) and for files on another host. */
export async function readIfThere(
  http: ProviderHttp,
  path: string,
  query?: Readonly<Record<string, string>>,
): Promise<ProviderAnswer | null> {
  try {
    return await http.get(path, query);
  } catch (error) {
    if (errorCode(error) === 'provider_permanent') return null;
    throw error;
  }
}
