import { AppError } from '@pulsewire/kernel';

/** A client of the public API, such as a new user's script. */
export interface ApiClient {
  /** Returns the parsed response. Throws AppError `api_call_refused` with the status and the error's text. */
  call<T>(
    method: string,
    path: string,
    options?: { readonly body?: object; readonly headers?: Readonly<Record<string, string>> },
  ): Promise<T>;
}

const deadlineMs = 30_000;

export function createApiClient(baseUrl: string, apiKey: string): ApiClient {
  return {
    async call(method, path, options = {}) {
      const response = await fetch(`${baseUrl}${path}`, {
        method,
        headers: { 'x-service-api-key': apiKey, ...(options.body && { 'content-type': 'application/json' }), ...options.headers },
        ...(options.body && { body: JSON.stringify(options.body) }),
        signal: AbortSignal.timeout(deadlineMs),
      });
      const text = await response.text();
      const body = text === '' ? undefined : (JSON.parse(text) as never);
      if (!response.ok) {
        throw new AppError({
          code: 'api_call_refused',
          kind: 'upstream',
          message: `${method} ${path} returned ${response.status}`,
          details: { status: response.status, body },
        });
      }
      return body as never;
    },
  };
}
