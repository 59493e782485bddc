import type { LoginResponse, LoginHttp, LoginRequest } from '../types/connector.ts';

/** A fake response; by default status 200 with an empty body. */
export interface FakeLoginResponse {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: LoginResponse['headers'];
  readonly url?: string;
}

/** A fake login API for tests: responds from a function and records its calls. */
export function createFakeLogin(respond: (request: LoginRequest) => FakeLoginResponse): LoginHttp & { readonly calls: LoginRequest[] } {
  const calls: LoginRequest[] = [];
  return {
    calls,
    async send(request) {
      calls.push(request);
      const { status = 200, body, headers = {}, url } = respond(request);
      return { status, headers, body, bytes: Buffer.from(JSON.stringify(body) ?? ''), ...(url !== undefined && { url }) };
    },
  };
}
