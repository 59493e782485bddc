import { AppError, parseJson } from '@pulsewire/kernel';
import { providerError, type ProviderResponse, type ProviderErrorCode, type ProviderSend } from '@pulsewire/providers';
import { requestKey, requestPlace } from './request-key.ts';
import type { StoredResponse } from '../sealed/stored-response.ts';

/** Calls that get their responses from the vault. */
export interface Replay {
  readonly send: ProviderSend;
  /** Whether a requested response is not in the vault. Pages yielded since then lack it. */
  readonly isMissing: boolean;
  /** Responses served so far. */
  readonly served: number;
}

function responseOf({ errorCode, status, contentType, link, version }: StoredResponse, bytes: Buffer): ProviderResponse {
  if (errorCode !== null) throw providerError(errorCode as ProviderErrorCode, { status });
  const headers = { ...(contentType !== null && { 'content-type': contentType }), ...(link !== undefined && { link }) };
  return { status, headers, body: parseJson(bytes), bytes, version };
}

/**
 * Returns the stored response to each request, under its version, and repeats refusals. Makes no call: a request that is not in the vault
 * throws AppError `not_in_vault`. `nextPart` returns the run's responses part by part, null at the end.
 */
export function replayResponses(nextPart: () => Promise<readonly StoredResponse[] | null>): Replay {
  const waiting = new Map<string, StoredResponse[]>();
  const state = { isMissing: false, served: 0 };
  let isAtEnd = false;

  async function find(key: string): Promise<StoredResponse | undefined> {
    for (;;) {
      const found = waiting.get(key)?.shift();
      if (found || isAtEnd) return found;
      const part = await nextPart();
      isAtEnd = part === null;
      for (const response of part ?? []) waiting.set(response.request, [...(waiting.get(response.request) ?? []), response]);
    }
  }

  const send: ProviderSend = async (method, path, call) => {
    const found = await find(requestKey(method, path, call));
    if (!found?.bytes) {
      state.isMissing = true;
      throw new AppError({
        code: 'not_in_vault',
        kind: 'not_found',
        message: 'The vault has no response to this request',
        details: { place: requestPlace(method, path) },
      });
    }
    state.served += 1;
    return responseOf(found, found.bytes);
  };

  return {
    send,
    get isMissing() {
      return state.isMissing;
    },
    get served() {
      return state.served;
    },
  };
}
