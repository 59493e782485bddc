import type { LoginAnswer, LoginHttp, LoginRequest } from '../types/connector.ts';

/** What a fake gives; status 200 and an empty body by default. */
export interface FakeLoginAnswer {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: LoginAnswer['headers'];
}

/** A provider's login for tests: answers from a function and remembers what it was asked. */
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
