/** A response of the provider. `version` was drawn when it arrived and orders receipts. */
export interface ProviderResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Parsed JSON; undefined for an empty body, and for other content when the call accepts it. */
  readonly body: unknown;
  /** The raw body, for content other than JSON. */
  readonly bytes: Buffer;
  readonly version: bigint;
}

export interface ReadOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** `any`: files such as TCX. Default `json`: any other content with status 200 is a transient error. */
  readonly accepts?: 'json' | 'any';
  /** Sent without the user's token: for URLs that are signed themselves. */
  readonly isAnonymous?: true;
  /** One of `endpoints.regionUrls`. Absent: the region in the account facts, or `apiBaseUrl`. */
  readonly region?: string;
}

export interface ProviderCall extends ReadOptions {
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as `application/x-www-form-urlencoded`. */
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** The call only reads data, although it is a POST, and may be repeated. */
  readonly isRead?: boolean;
}

/**
 * HTTP calls to one provider on behalf of one connection, with base URL, authorization, deadlines and size limits set.
 * Resolves to a successful response; otherwise throws AppError with a `ProviderErrorCode`, and with `retryAfterMs` if the
 * provider stated a delay. A path is resolved below the base address; an absolute URL, such as a paging link, must be below
 * it too.
 */
export interface ProviderHttp {
  get(path: string, query?: Readonly<Record<string, string>>, options?: ReadOptions): Promise<ProviderResponse>;
  post(path: string, call?: ProviderCall): Promise<ProviderResponse>;
  put(path: string, call?: ProviderCall): Promise<ProviderResponse>;
  delete(path: string, call?: ProviderCall): Promise<ProviderResponse>;
}

/** One call on behalf of a connection: the common function behind all methods of `ProviderHttp`. */
export type ProviderSend = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, call: ProviderCall) => Promise<ProviderResponse>;

export interface LoginRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** A path below the base address, or an absolute URL below one of the provider's addresses (`ProviderEndpoints`). */
  readonly path: string;
  /** One of `endpoints.regionUrls`; absent: `apiBaseUrl`. */
  readonly region?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly basicAuth?: { readonly username: string; readonly password: string };
  /** Redirects are returned as responses, for logins that set cookies with them. */
  readonly keepsRedirects?: true;
}

export interface LoginResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Parsed JSON; undefined when empty or not JSON, such as a bot-protection page. */
  readonly body: unknown;
  readonly bytes: Buffer;
  /** The address that responded; relative links are resolved against it. */
  readonly url?: string;
}

/**
 * HTTP calls to a provider outside a connection: logins, revocations, subscriptions of an application. Sends no user token
 * and returns responses of any status. Throws AppError `provider_transient` when no complete response arrived, and
 * `provider_permanent` when it is too large or the address is not the provider's.
 */
export interface LoginHttp {
  send(request: LoginRequest): Promise<LoginResponse>;
}

/** The error codes to which every connector maps its provider's errors. */
export type ProviderErrorCode =
  | 'provider_token_expired'
  | 'provider_consent_revoked'
  | 'provider_scope_missing'
  | 'provider_account_state'
  /** The operator's application, keys or project are refused, whoever the user is: only the operator can change that. */
  | 'provider_configuration'
  | 'provider_rate_limited'
  | 'provider_transient'
  | 'provider_permanent'
  /** The provider has shut the interface down. */
  | 'provider_discontinued';

/** The classification of an error response. */
export interface ProviderVerdict {
  readonly code: ProviderErrorCode;
  readonly retryAfterMs?: number;
  /** Details for pulls that catch the error (`AppError.details`); never personal data. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The part of a response that determines its classification. */
export interface JudgedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
  /** The raw body, for providers whose errors are plain text. */
  readonly bytes?: Buffer;
}

/** A documented rate limit of the provider. */
export interface QuotaRule {
  /** Whether requests are counted per application or per user. */
  readonly scope: 'app' | 'user';
  readonly requests: number;
  readonly perMs: number;
  /** `aligned`: windows start at full quarter hours, hours or days UTC. */
  readonly window: 'sliding' | 'aligned';
}

/** A quota as reported in a response. */
export interface QuotaState {
  readonly scope: 'app' | 'user';
  /** Length of the window, if known: identifies the declared rule. */
  readonly perMs?: number;
  readonly limit: number;
  readonly remaining: number;
  /** Until the quota is full again. */
  readonly resetAfterMs: number;
  /** The provider reported no reset: `resetAfterMs` is computed from our clock and the documented window. */
  readonly isEstimated?: true;
}
