import type { LoginAnswer, LoginHttp, LoginRequest } from '../types/connector.ts';

/** A fake response; by default status 200 with an empty body. */
export interface FakeLoginAnswer {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: LoginAnswer['headers'];
}

/** A fake login API for tests: responds from a function and records its calls. */
export function createFakeLogin(answer: (request: LoginRequest) => FakeLoginAnswer): LoginHttp & { readonly calls: LoginRequest[] } {
  const calls: LoginRequest[] = [];
  return {
    calls,
    async send(request) {
      calls.push(request);
      const { status = 200, body, headers = {} } = answer(request);
      return { status, headers, body, bytes: Buffer.from(JSON.stringify(body) ?? '') };
    },
  };
}
