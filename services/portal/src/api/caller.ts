import { ApiRefusal, detailOf } from './portal-error.ts';

export type ApiMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One request to the public API, in the name of the person at this address. */
export interface ApiRequest {
  readonly method: ApiMethod;
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Of the browser, so that limits, allowed addresses and the audit log apply to it and not to the portal. */
  readonly address: string;
}

/** Sends a request to the API. The portal has no other access to anything. */
export type ApiTransport = (request: ApiRequest) => Promise<{ readonly status: number; readonly text: string }>;

export type QueryValues = Readonly<Record<string, string | number | undefined>>;

/** Calls the API with the key of a session. */
export interface Caller {
  /** Throws `ApiRefusal` for every other status than 200. */
  get<T>(path: string, query?: QueryValues): Promise<T>;
  /** As `get`, but null for 403 and 404: a part of a page that this key may not see, or that does not exist. */
  find<T>(path: string, query?: QueryValues): Promise<T | null>;
  /** Throws `ApiRefusal` for every status that is not a success. */
  send<T>(method: ApiMethod, path: string, body?: unknown): Promise<T>;
}

export function urlOf(path: string, query: QueryValues = {}): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== '') given.append(name, String(value));
  const text = given.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** A path segment of dots, which a server takes for another path: an id in an address of ours may be one. */
const climbs = /\/(?:\.|%2e){1,2}(?=[/?]|$)/i;

export function createCaller(transport: ApiTransport, key: string, address: string): Caller {
  async function request<T>(method: ApiMethod, url: string, body?: unknown): Promise<T> {
    if (climbs.test(url)) throw new ApiRefusal(404, 'Not found');
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = { 'x-service-api-key': key, ...(text !== undefined && { 'content-type': 'application/json' }) };
    const reply = await transport({ method, url, headers, address, ...(text !== undefined && { body: text }) });
    const parsed: unknown = reply.text === '' ? null : JSON.parse(reply.text);
    if (reply.status >= 200 && reply.status < 300) return parsed as T;
    throw new ApiRefusal(reply.status, detailOf(parsed));
  }
  const get = <T>(path: string, query?: QueryValues) => request<T>('GET', urlOf(path, query));
  return {
    get,
    async find<T>(path: string, query?: QueryValues) {
      try {
        return await get<T>(path, query);
      } catch (error) {
        if (error instanceof ApiRefusal && (error.status === 403 || error.status === 404)) return null;
        throw error;
      }
    },
    send: (method, path, body) => request(method, path, body),
  };
}
