import { errorCode } from '@pulsewire/kernel';
import type { ProviderAnswer, ProviderHttp } from '../types/connector.ts';

/** A read that may find nothing: null for what the provider refuses for good (404, 400), and for files that lie at another host. */
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
