import { errorCode, isAppError } from '@pulsewire/kernel';
import type { ProviderResponse, ProviderHttp, ReadOptions } from '../types/connector.ts';

type Read = (
  http: ProviderHttp,
  path: string,
  query?: Readonly<Record<string, string>>,
  options?: ReadOptions,
) => Promise<ProviderResponse | null>;

const readUnless =
  (isAbsent: (error: unknown) => boolean): Read =>
  async (http, path, query, options) => {
    try {
      return await http.get(path, query, options);
    } catch (error) {
      if (isAbsent(error)) return null;
      throw error;
    }
  };

/** Reads a resource that may not exist; null on a permanent error (404, 400) and for files on another host. */
export const readOptional = readUnless((error) => errorCode(error) === 'provider_permanent');

/** Reads a resource that may not exist; null on a 404. Throws any other error. */
export const readUnlessMissing = readUnless((error) => isAppError(error) && error.details['status'] === 404);
