import type { HttpClient } from '@pulsewire/outbound';
import { errorMessage, type Logger } from '@pulsewire/kernel';
import { ApiRefusal } from './portal-error.ts';
import type { ApiTransport } from './caller.ts';

export interface RemoteApi {
  /** Address at which this process reaches the API, without a trailing slash. */
  readonly apiUrl: string;
  readonly http: HttpClient;
  readonly logger: Logger;
}

/**
 * Sends requests to the API over the network. The address of the person goes along in `X-Forwarded-For`, which the API believes when the
 * portal's own address is among its `TRUSTED_PROXIES`.
 */
export function createRemoteTransport({ apiUrl, http, logger }: RemoteApi): ApiTransport {
  return async ({ method, url, headers, body, address }) => {
    try {
      const { status, bytes } = await http.send({
        method,
        url: `${apiUrl}${url}`,
        headers: { ...headers, 'x-forwarded-for': address },
        ...(body !== undefined && { json: JSON.parse(body) as unknown }),
      });
      return { status, text: bytes.toString('utf8') };
    } catch (error) {
      logger.warn({ reason: errorMessage(error) }, 'portal.api_unavailable');
      throw new ApiRefusal(502, 'The API cannot be reached at the moment.');
    }
  };
}
