import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';

/** How a person links this provider (interface 2.4). */
export type AuthType = 'oauth' | 'team_oauth' | 'sdk' | 'password' | 'email' | 'app';

/** Scopes at the provider that a resource needs (contract 5.4). */
export interface ScopeNeeds {
  readonly required: readonly string[];
  /** Missing ones only drop some fields. */
  readonly optional: readonly string[];
}

/** An OAuth application at a provider: the team's own or the platform's. */
export interface OAuthApplication {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Base addresses of a provider; overridable so that a simulator can stand in. */
export interface ProviderEndpoints {
  readonly apiBaseUrl: string;
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
  readonly revokeUrl: string | null;
}

/** OAuth 2.0 authorization code, with the variations of the auth matrix (reference/providers/README 2). */
export interface OAuthSettings {
  readonly clientAuth: 'basic' | 'body' | 'query';
  readonly pkce: 'required' | 'supported' | 'none';
  readonly scopeSeparator: ' ' | ',' | null;
  readonly scopes: readonly string[];
  readonly refresh: 'rotates' | 'keeps' | 'none';
  /** Where the token answer carries the user's id at the provider, as keys from the outside in; absent: nowhere. */
  readonly userIdPath?: readonly string[];
}

/** Tokens as a provider hands them out. Never logged. */
export interface TokenSet {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  /** null: does not expire. */
  readonly expiresAt: Date | null;
  /** null when the answer does not say. */
  readonly scopes: readonly string[] | null;
  /** The user's id at the provider where the token answer carries it. */
  readonly providerUserId: string | null;
}

/** An answer of the provider. `version` was drawn when it arrived; it orders receipts (plan 4.1). */
export interface ProviderAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Parsed JSON; undefined for an empty body. */
  readonly body: unknown;
  readonly version: bigint;
}

/** HTTP towards one provider as one connection: base URL, bearer token, deadlines and size caps are set. */
export interface ProviderHttp {
  /**
   * Resolves for 2xx. Otherwise throws AppError with one of the codes of `ProviderErrorCode`
   * (reference/providers/README 7), `retryAfterMs` set where the provider said how long.
   */
  get(path: string, query?: Readonly<Record<string, string>>): Promise<ProviderAnswer>;
  post(
    path: string,
    options?: { headers?: Readonly<Record<string, string>>; form?: Readonly<Record<string, string>> },
  ): Promise<ProviderAnswer>;
  delete(path: string, options?: { headers?: Readonly<Record<string, string>> }): Promise<ProviderAnswer>;
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

/** What a pull knows of the user; pure mapping gets its facts from here. */
export interface PullUser {
  readonly userId: string;
  readonly fallbackTimeZone: string | null;
  readonly providerUserId: string;
  readonly grantedScopes: readonly string[];
  /** What `account()` learned, for example the provider's time zone. */
  readonly account: Readonly<Record<string, unknown>>;
}

/** Local days at the provider, both inclusive, `YYYY-MM-DD`. */
export interface PullWindow {
  readonly startDate: string;
  readonly endDate: string;
}

/** One answer's worth of records; stored in one transaction under its version. */
export interface PulledPage {
  readonly version: bigint;
  readonly records: readonly CanonicalRecord[];
  readonly quarantined: readonly Quarantined[];
}

/** One kind of pull: which resources it feeds and how history is cut. */
export interface PullSpec {
  /** Unique in the connector: `steps-intraday`. */
  readonly name: string;
  readonly resources: readonly string[];
  /** All needed, else the pull is not planned. */
  readonly requiredScopes: readonly string[];
  /** Days that one call covers at most. */
  readonly chunkDays: number;
  /** Default depth of the historical pull, in days (contract 6.1). */
  readonly backfillDays: number;
  /** Days that each incremental pull reads again, because providers revise. */
  readonly rereadDays: number;
  /** Push collections that ask for this pull. */
  readonly collections: readonly string[];
  /** Pages of one window; at most `pagesMax` of them. Throws AppError of a ProviderErrorCode. */
  pull(context: { http: ProviderHttp; user: PullUser; window: PullWindow; signal: AbortSignal }): AsyncIterable<PulledPage>;
}

/** A change that a provider announced. */
export type PushNotice =
  | { readonly kind: 'changed'; readonly providerUserId: string; readonly collection: string; readonly window: PullWindow }
  | { readonly kind: 'revoked'; readonly providerUserId: string };

/** What a push says, and where in it something could not be read: why and where, never what. */
export interface ParsedPush {
  readonly notices: readonly PushNotice[];
  readonly unreadable: readonly Pick<Quarantined, 'reason' | 'pointer'>[];
}

export interface RawPush {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly query: Readonly<Record<string, string>>;
  /** The exact bytes received. */
  readonly body: Buffer;
}

/** How a provider calls us. Verification is pure; the edge stores the raw body, answers, and works later. */
export interface PushSupport {
  /** Answer to a handshake (for example `?verify=`), or null when the request is not one. */
  handshake(push: RawPush, secrets: { readonly verificationCode: string | null }): { status: number; body: string } | null;
  verify(push: RawPush, application: OAuthApplication): boolean;
  /** A notice that cannot be read is left out and reported. Throws AppError `push_unreadable` when the verified body as a whole has an unknown shape. */
  parse(push: RawPush): ParsedPush;
  readonly acceptedStatus: number;
  readonly rejectedStatus: number;
  /** Registers this user's collections; safe to repeat. */
  subscribe(context: { http: ProviderHttp; user: PullUser; subscriptionId: string }): Promise<void>;
  unsubscribe(context: { http: ProviderHttp; user: PullUser; subscriptionId: string }): Promise<void>;
}

/** What the provider said of its quota for this user in an answer. */
export interface QuotaState {
  readonly limit: number;
  readonly remaining: number;
  /** Until the quota is full again. */
  readonly resetAfterMs: number;
}

export interface AccountContext {
  readonly http: ProviderHttp;
  readonly grantedScopes: readonly string[];
  /** What the last call gave as `account`; with `now` it lets a change of time zone hold only from then on. */
  readonly previous?: Readonly<Record<string, unknown>>;
  readonly now?: Date;
}

/** One provider: everything that catalogue, linking, ingest and docs need to know of it. */
export interface Connector {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  /** Numeric id on the wire (`source_id`, contract 20.5). Never reused. */
  readonly sourceId: number;
  readonly authType: AuthType;
  /** Kind of source for the catalogue filter (contract 6.4). */
  readonly sourceKind: 'app' | 'ble' | 'device' | 'lab' | 'provider';
  /** Set when the provider itself is going away. */
  readonly deprecated: boolean;
  readonly endpoints: ProviderEndpoints;
  readonly oauth: OAuthSettings;
  /** Supported resources and the scopes each needs. */
  readonly resources: Readonly<Record<string, ScopeNeeds>>;
  readonly backfillDays: number;
  readonly pulls: readonly PullSpec[];
  readonly push: PushSupport | null;
  /** Requests per user and hour that the provider allows, where it says so. */
  readonly userQuotaPerHour: number | null;
  /** Facts about the account that pulls need (time zone, device kinds), fetched when linked and refreshed daily. */
  account(context: AccountContext): Promise<{ providerUserId: string | null; account: Record<string, unknown> }>;
  /** Reads the quota from the headers of any answer; null when they say nothing. Absent: the provider never says. */
  readQuota?(headers: Readonly<Record<string, string | undefined>>): QuotaState | null;
  /** Sorts a non-2xx answer of the API into the shared classes. */
  classify(answer: { status: number; headers: Readonly<Record<string, string | undefined>>; body: unknown }): {
    code: ProviderErrorCode;
    retryAfterMs?: number;
  };
}
