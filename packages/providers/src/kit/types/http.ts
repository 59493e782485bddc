/** An answer of the provider. `version` was drawn when it arrived; it orders receipts. */
export interface ProviderAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Parsed JSON; undefined for an empty body, and for what is not JSON where the call accepts that. */
  readonly body: unknown;
  /** As received, for what is not JSON. */
  readonly bytes: Buffer;
  readonly version: bigint;
}

export interface ReadOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** `any`: files such as TCX. Default `json`: anything else with status 200 counts as a passing failure. */
  readonly accepts?: 'json' | 'any';
}

export interface ProviderCall extends ReadOptions {
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as `application/x-www-form-urlencoded`. */
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** Changes nothing at the provider and may be repeated: data that is read with POST. */
  readonly isRead?: boolean;
}

/**
 * HTTP towards one provider as one connection: base URL, authorization, deadlines and size caps are set. Each resolves for
 * an answer that is no refusal. Otherwise throws AppError with one of the codes of `ProviderErrorCode`,
 * `retryAfterMs` set where the provider said how long. A path is absolute below the base
 * address; a whole URL, as providers put it in links, must lie below it too.
 */
export interface ProviderHttp {
  get(path: string, query?: Readonly<Record<string, string>>, options?: ReadOptions): Promise<ProviderAnswer>;
  post(path: string, call?: ProviderCall): Promise<ProviderAnswer>;
  put(path: string, call?: ProviderCall): Promise<ProviderAnswer>;
  delete(path: string, call?: ProviderCall): Promise<ProviderAnswer>;
}

/** One call as a connection, however it was asked for: `ProviderHttp` names the methods, what stands below handles all of them alike. */
export type ProviderSend = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, call: ProviderCall) => Promise<ProviderAnswer>;

export interface LoginRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base address, or a whole URL below one of the provider's addresses (`ProviderEndpoints`). */
  readonly path: string;
  /** One of `endpoints.regionUrls`; absent: `apiBaseUrl`. */
  readonly region?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly basicAuth?: { readonly username: string; readonly password: string };
}

export interface LoginAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Parsed JSON; undefined when empty or not JSON, such as a page that blocks robots. */
  readonly body: unknown;
  readonly bytes: Buffer;
}

/**
 * HTTP towards a provider before, or apart from, a connection: logins, revocations, subscriptions of an application.
 * Carries no token of a user, judges nothing: any status is an answer. Throws AppError `provider_transient` when no whole
 * answer came, `provider_permanent` for one that is too large and for an address that is not the provider's.
 */
export interface LoginHttp {
  send(request: LoginRequest): Promise<LoginAnswer>;
}

/** The classes of failure that every connector sorts its provider's errors into. */
export type ProviderErrorCode =
  | 'provider_token_expired'
  | 'provider_consent_revoked'
  | 'provider_scope_missing'
  | 'provider_account_state'
  | 'provider_rate_limited'
  | 'provider_transient'
  | 'provider_permanent';

/** What a refusal means. */
export interface ProviderVerdict {
  readonly code: ProviderErrorCode;
  readonly retryAfterMs?: number;
  /** What a pull makes use of when it catches the error (`AppError.details`); no values of a person. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The part of an answer by which it is judged. */
export interface JudgedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
}

/** A limit that the provider sets on requests, as its documents state it. */
export interface QuotaRule {
  /** Whose requests are counted together: those of the whole application, or of one of its users. */
  readonly scope: 'app' | 'user';
  readonly requests: number;
  readonly perMs: number;
  /** `aligned`: counted from full quarters, hours or days UTC on. */
  readonly window: 'sliding' | 'aligned';
}

/** What the provider said of one of its quotas in an answer. */
export interface QuotaState {
  readonly scope: 'app' | 'user';
  /** Length of the window that it counts, where that is known: tells which of the declared rules this is. */
  readonly perMs?: number;
  readonly limit: number;
  readonly remaining: number;
  /** Until the quota is full again. */
  readonly resetAfterMs: number;
  /** The provider named no reset: `resetAfterMs` is by our clock and the documented window. */
  readonly isReckoned?: true;
}
