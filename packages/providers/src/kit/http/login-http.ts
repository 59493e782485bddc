import type { HttpClient } from '@pulsewire/outbound';
import { resolveUrl, regionBaseUrl } from './endpoints.ts';
import type { LoginHttp, ProviderEndpoints } from '../types/connector.ts';

export interface LoginHttpOptions {
  readonly http: HttpClient;
  readonly endpoints: ProviderEndpoints;
  readonly signal?: AbortSignal | undefined;
  /** Deadline of one call. Default: the client's own. */
  readonly timeoutMs?: number | undefined;
}

/** HTTP calls to a provider outside a connection. Rejects addresses that do not belong to the provider. */
export function createLoginHttp({ http, endpoints, signal, timeoutMs }: LoginHttpOptions): LoginHttp {
  return {
    async send({ path, region = null, ...request }) {
      const url = resolveUrl(endpoints, regionBaseUrl(endpoints, region), path);
      const bounds = { ...(signal !== undefined && { signal }), ...(timeoutMs !== undefined && { totalTimeoutMs: timeoutMs }) };
      const { status, headers, body, bytes, url: responded = url } = await http.send({ ...request, url, ...bounds });
      return { status, headers, body, bytes, url: responded };
    },
  };
}
