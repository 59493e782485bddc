import { providerError } from '../http/provider-error.ts';
import type { ProviderResponse, ProviderCall, ProviderHttp } from '../types/connector.ts';

/** A recorded call. */
export interface FakeCall extends ProviderCall {
  readonly method: string;
  readonly path: string;
}

/** Returns the body of a response, or part of a response; throws to simulate an error. */
export type FakeResponse = (call: FakeCall) => unknown;

/** A fake provider for tests of pulls and pushes: responds from a function and records its calls. Versions count up. */
export function createFakeHttp(response: FakeResponse): ProviderHttp & { readonly calls: FakeCall[]; readonly paths: string[] } {
  const calls: FakeCall[] = [];
  let version = 0n;
  async function send(method: string, path: string, call: ProviderCall): Promise<ProviderResponse> {
    const made = { ...call, method, path };
    calls.push(made);
    const body = response(made);
    version += 1n;
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body) ?? '');
    return { status: body === undefined ? 204 : 200, headers: {}, body: Buffer.isBuffer(body) ? undefined : body, bytes, version };
  }
  return {
    calls,
    get paths() {
      return calls.map(({ path, query }) => (query === undefined ? path : `${path}?${new URLSearchParams(query).toString()}`));
    },
    get: (path, query, read = {}) => send('GET', path, query === undefined ? read : { ...read, query }),
    post: (path, call = {}) => send('POST', path, call),
    put: (path, call = {}) => send('PUT', path, call),
    delete: (path, call = {}) => send('DELETE', path, call),
  };
}

/** Responds by path without the query; any other path is not found. */
export function responsesFor(bodies: Readonly<Record<string, unknown>>): FakeResponse {
  return ({ path }) => {
    const known = path.split('?')[0] ?? '';
    if (!Object.hasOwn(bodies, known)) throw providerError('provider_permanent', { status: 404 });
    return bodies[known];
  };
}
