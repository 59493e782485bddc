import { errorCode, isAppError, type Clock } from '@pulsewire/kernel';
import type { ProviderResponse, ProviderSend } from '@pulsewire/providers';
import { readSpent } from '../quota/quota-spent.ts';
import { requestKey, requestPlace } from './request-key.ts';
import type { StoredResponse } from '../sealed/stored-response.ts';

/** Larger responses are recorded without their body, as are those beyond the second bound in one page. */
const responseBytesMax = 8 * 1024 * 1024;
const pageBytesMax = 16 * 1024 * 1024;

/** Longer ones name no page. */
const linkLengthMax = 8000;

/** A connection's calls, recorded with their responses. */
export interface Recording {
  readonly send: ProviderSend;
  /** The responses since the last call of this, in order. */
  take(): readonly StoredResponse[];
}

const nothing = Buffer.alloc(0);

/** The body as received; of a response without bytes, its JSON. */
export function bytesOf({ bytes, body }: Pick<ProviderResponse, 'bytes' | 'body'>): Buffer {
  if (bytes.length > 0 || body === undefined) return bytes;
  return Buffer.from(JSON.stringify(body));
}

/** Records the responses to calls. Wrapped around retrying calls it sees only the responses that were used. */
export function recordResponses(send: ProviderSend, clock: Pick<Clock, 'now'>): Recording {
  let responses: StoredResponse[] = [];
  let pageBytes = 0;

  const sendRecorded: ProviderSend = async (method, path, call) => {
    const request = { request: requestKey(method, path, call), place: requestPlace(method, path) };
    try {
      const response = await send(method, path, call);
      const bytes = bytesOf(response);
      const isKept = bytes.length <= responseBytesMax && pageBytes + bytes.length <= pageBytesMax;
      if (isKept) pageBytes += bytes.length;
      const { link } = response.headers;
      responses.push({
        ...request,
        status: response.status,
        contentType: response.headers['content-type'] ?? null,
        ...(link !== undefined && link.length <= linkLengthMax && { link }),
        version: response.version,
        receivedAt: clock.now().toISOString(),
        errorCode: null,
        bytes: isKept ? bytes : null,
      });
      return response;
    } catch (error) {
      // Without quota there was no request or no response.
      const isResponse = isAppError(error) && error.code.startsWith('provider_') && error.code !== 'provider_rate_limited';
      if (isResponse && readSpent(error) === null) {
        const status = error.details['status'];
        responses.push({
          ...request,
          status: typeof status === 'number' ? status : 0,
          contentType: null,
          version: 0n,
          receivedAt: clock.now().toISOString(),
          errorCode: errorCode(error),
          bytes: nothing,
        });
      }
      throw error;
    }
  };

  return {
    send: sendRecorded,
    take() {
      const taken = responses;
      responses = [];
      pageBytes = 0;
      return taken;
    },
  };
}
