import { AppError, type ErrorKind } from '@pulsewire/kernel';
import type { HttpAnswer, HttpClient, HttpRequest } from '@pulsewire/outbound';
import type { Connector, ProviderEndpoints, ProviderErrorCode, ProviderHttp, QuotaState } from './types.ts';

export interface ProviderHttpOptions {
  readonly http: HttpClient;
  readonly endpoints: ProviderEndpoints;
  readonly accessToken: string;
  readonly connector: Pick<Connector, 'classify' | 'readQuota'>;
  /** Draws the receipt version (plan 4.1). Called the moment an answer is in. */
  readonly drawVersion: () => Promise<bigint>;
  readonly signal: AbortSignal;
  /** Told what the provider says of its quota, with every answer that says so. */
  readonly onQuota?: (quota: QuotaState) => void;
}

const verdicts: Readonly<Record<ProviderErrorCode, { kind: ErrorKind; retryable: boolean; message: string }>> = {
  provider_token_expired: { kind: 'unauthorized', retryable: true, message: 'The provider wants a fresh access token.' },
  provider_consent_revoked: { kind: 'forbidden', retryable: false, message: 'The user has withdrawn the consent.' },
  provider_scope_missing: { kind: 'forbidden', retryable: false, message: 'The user did not grant what this call needs.' },
  provider_account_state: { kind: 'upstream', retryable: true, message: 'The account at the provider does not allow this now.' },
  provider_rate_limited: { kind: 'rate_limited', retryable: true, message: 'The quota at the provider is used up.' },
  provider_transient: { kind: 'unavailable', retryable: true, message: 'The provider cannot answer now.' },
  provider_permanent: { kind: 'upstream', retryable: false, message: 'The provider refuses this call.' },
};

/** An AppError with the verdict of its class. */
export function providerError(code: ProviderErrorCode, details: Readonly<Record<string, unknown>>, retryAfterMs?: number): AppError {
  return new AppError({ code, ...verdicts[code], details, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
}

/**
 * The address of a path. An absolute URL, as providers put it in paging links, must stay under the base address:
 * the token goes nowhere else. Throws AppError `provider_permanent` when it does not.
 */
function resolveUrl(baseUrl: string, path: string): string {
  const base = baseUrl.replace(/\/+$/, '');
  const url = new URL(path.startsWith('/') ? `${base}${path}` : path, base);
  const isInside = url.origin === new URL(base).origin && url.pathname.startsWith(new URL(base).pathname);
  if (!isInside) throw providerError('provider_permanent', { reason: 'foreign_url', host: url.host });
  return url.toString();
}

/** HTTP towards one provider as one connection. */
export function createProviderHttp(options: ProviderHttpOptions): ProviderHttp {
  const { http, endpoints, accessToken, connector, drawVersion, signal, onQuota } = options;

  async function send(request: Omit<HttpRequest, 'url'> & { path: string }) {
    const { path, headers, ...rest } = request;
    const url = resolveUrl(endpoints.apiBaseUrl, path);
    const answer = await http.send({ ...rest, url, headers: { ...headers, authorization: `Bearer ${accessToken}` }, signal });
    const quota = connector.readQuota?.(answer.headers) ?? null;
    if (quota !== null) onQuota?.(quota);
    if (answer.status < 200 || answer.status > 299) throw refusal(answer, request.method);
    // A page of HTML with status 200 comes from something in front of the provider.
    if (answer.body === undefined && answer.bytes.length > 0) {
      throw providerError('provider_transient', { status: answer.status, reason: 'not_json' });
    }
    const version = await drawVersion();
    return { status: answer.status, headers: answer.headers, body: answer.body, version };
  }

  function refusal(answer: HttpAnswer, method: string): AppError {
    const { code, retryAfterMs } = connector.classify(answer);
    return providerError(code, { status: answer.status, method }, retryAfterMs);
  }

  return {
    get: (path, query) => send({ method: 'GET', path, ...(query === undefined ? {} : { query }) }),
    post: (path, request = {}) => send({ method: 'POST', path, ...request }),
    delete: (path, request = {}) => send({ method: 'DELETE', path, ...request }),
  };
}
