import { errorCode, isAppError } from '@pulsewire/kernel';
import type { ProviderResponse, ProviderHttp, ReadOptions } from '../types/connector.ts';

/** Reads a resource that may not exist; null on a permanent error (404, 400) and for files on another host. */
export async function readOptional(
  http: ProviderHttp,
  path: string,
  query?: Readonly<Record<string, string>>,
  options?: ReadOptions,
): Promise<ProviderResponse | null> {
  try {
    return await http.get(path, query, options);
  } catch (error) {
    if (errorCode(error) === 'provider_permanent') return null;
    throw error;
  }
}

/** Reads a resource that may not exist; null on a 404. Throws any other error. */
export async function readUnlessMissing(
  http: ProviderHttp,
  path: string,
  query?: Readonly<Record<string, string>>,
  options?: ReadOptions,
): Promise<ProviderResponse | null> {
  try {
    return await http.get(path, query, options);
  } catch (error) {
    if (isAppError(error) && error.details['status'] === 404) return null;
    throw error;
  }
}
