import { AppError } from '@pulsewire/kernel';

/** The public API as a newcomer's script would call it. */
export interface ApiClient {
  /** The parsed answer. Throws AppError `api_answered` with the status and the error's text. */
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
      const answer = text === '' ? undefined : (JSON.parse(text) as never);
      if (!response.ok) {
        throw new AppError({
          code: 'api_answered',
          kind: 'upstream',
          message: `${method} ${path} answered ${response.status}`,
          details: { status: response.status, answer },
        });
      }
      return answer as never;
    },
  };
}
