import { systemClock, type AppError, type Clock } from '@pulsewire/kernel';
import type { HttpClient } from '@pulsewire/outbound';
import { regionBaseUrl, resolveUrl } from './endpoints.ts';
import { providerError } from './provider-error.ts';
import type {
  CallAuthorization,
  Connector,
  OAuthApplication,
  ProviderEndpoints,
  ProviderHttp,
  ProviderSend,
  ProviderVerdict,
  QuotaState,
} from '../types/connector.ts';

export interface ProviderHttpOptions {
  readonly http: HttpClient;
  readonly endpoints: ProviderEndpoints;
  readonly accessToken: string;
  /** Account facts: they contain the region and may be part of the authorization. */
  readonly account?: Readonly<Record<string, unknown>>;
  /** For connectors that authorize with it too. */
  readonly application?: OAuthApplication | null;
  readonly connector: Pick<Connector, 'authorize' | 'classify' | 'findRefusal' | 'readQuotas'>;
  /** Draws the receipt version. Called as soon as a response has arrived. */
  readonly drawVersion: () => Promise<bigint>;
  readonly signal: AbortSignal;
  /** Called with the quota state of every response that reports one. */
  readonly onQuota?: (quota: QuotaState) => void;
  readonly clock?: Pick<Clock, 'now'>;
}

/** Builds the HTTP methods on top of one send function. */
export function providerHttp(send: ProviderSend): ProviderHttp {
  return {
    get: (path, query, read = {}) => send('GET', path, query === undefined ? read : { ...read, query }),
    post: (path, call = {}) => send('POST', path, call),
    put: (path, call = {}) => send('PUT', path, call),
    delete: (path, call = {}) => send('DELETE', path, call),
  };
}

/** HTTP calls to one provider on behalf of one connection. */
export function createProviderHttp(options: ProviderHttpOptions): ProviderHttp {
  return providerHttp(createProviderSend(options));
}

/** Sends calls on behalf of one connection: resolves and authorizes each one and classifies its response. */
export function createProviderSend(options: ProviderHttpOptions): ProviderSend {
  const {
    http,
    endpoints,
    accessToken,
    account = {},
    application = null,
    connector,
    drawVersion,
    signal,
    onQuota,
    clock = systemClock,
  } = options;
  const homeUrl = regionBaseUrl(endpoints, account['region']);
  const authorization: CallAuthorization = connector.authorize?.(accessToken, account, application) ?? {
    headers: { authorization: `Bearer ${accessToken}` },
  };

  const placesOfCalls = {
    ...noOtherPlace,
    ...(endpoints.linkDomain !== undefined && { linkDomain: endpoints.linkDomain }),
    apiBaseUrl: homeUrl,
  };

  return async function send(method, path, call) {
    const { query, headers, form, json, accepts = 'json', isAnonymous = false, region } = call;
    const baseUrl = region === undefined ? homeUrl : regionBaseUrl(endpoints, region);
    const authorized = isAnonymous ? {} : authorization;
    const response = await http.send({
      method,
      url: resolveUrl(placesOfCalls, baseUrl, path),
      headers: { ...headers, ...authorized.headers },
      query: { ...query, ...authorized.query },
      ...(form === undefined ? {} : { form }),
      ...(json === undefined ? {} : { json: authorization.json ? { ...(json as object), ...authorization.json } : json }),
      signal,
    });
    for (const quota of connector.readQuotas?.(response.headers, clock.now()) ?? []) onQuota?.(quota);
    const isRefused = response.status < 200 || response.status > 299;
    const verdict = isRefused ? connector.classify(response) : (connector.findRefusal?.(response) ?? null);
    if (verdict !== null) throw refusal(verdict, response.status, method);
    // An HTML page with status 200 comes from a proxy in front of the provider.
    if (accepts === 'json' && response.body === undefined && response.bytes.length > 0) {
      throw providerError('provider_transient', { status: response.status, reason: 'not_json' });
    }
    const version = await drawVersion();
    return { status: response.status, headers: response.headers, body: response.body, bytes: response.bytes, version };
  };
}

// A user's token is sent to the API only, never to the login addresses.
const noOtherPlace = { authorizeUrl: null, tokenUrl: null, revokeUrl: null };

function refusal({ code, retryAfterMs, details }: ProviderVerdict, status: number, method: string): AppError {
  return providerError(code, { ...details, status, method }, retryAfterMs);
}
