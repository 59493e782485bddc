/** A caller of the API with a team's key. */
export interface ApiClient {
  /** Throws when the response is neither a success nor one of `others`. */
  ask<T>(method: string, target: string, body?: object, others?: readonly number[], linkToken?: string): Promise<T>;
}

const responseMaxMs = 15_000;

export function createApiClient(baseUrl: string, apiKey: string): ApiClient {
  return {
    async ask<T>(method: string, target: string, body?: object, others: readonly number[] = [], linkToken?: string): Promise<T> {
      const response = await fetch(`${baseUrl}${target}`, {
        method,
        headers: {
          'x-service-api-key': apiKey,
          ...(body && { 'content-type': 'application/json' }),
          ...(linkToken !== undefined && { 'x-service-link-token': linkToken }),
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(responseMaxMs),
      });
      if (!response.ok && !others.includes(response.status))
        throw new Error(`${method} ${target} answered ${response.status}: ${await response.text()}`);
      return (await response.json()) as T;
    },
  };
}
