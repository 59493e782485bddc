import type { EmailSupport } from './email.ts';
import type { PasswordSupport } from './password.ts';
import type { JudgedAnswer, ProviderHttp, ProviderVerdict, QuotaRule, QuotaState } from './http.ts';
import type { OAuthSettings } from './oauth.ts';
import type { PullSpec, PullWindow } from './pull.ts';
import type { PushSupport } from './push.ts';

export type * from './email.ts';
export type * from './password.ts';
export type * from './http.ts';
export type * from './oauth.ts';
export type * from './pull.ts';
export type * from './push.ts';

/** How a person links this provider. */
export type AuthType = 'oauth' | 'team_oauth' | 'sdk' | 'password' | 'email' | 'app';

/** Scopes at the provider that a resource needs. */
export interface ScopeNeeds {
  readonly required: readonly string[];
  /** Missing ones only drop some fields. */
  readonly optional: readonly string[];
}

/** Base addresses of a provider; overridable so that a simulator can stand in. */
export interface ProviderEndpoints {
  readonly apiBaseUrl: string;
  /** null where nobody links with OAuth. */
  readonly authorizeUrl: string | null;
  readonly tokenUrl: string | null;
  readonly revokeUrl: string | null;
  /**
   * Other base addresses of the API, by the region that an account's facts name as `region`. Another `apiBaseUrl` puts itself
   * in the place of all of them: no call may go past a simulator.
   */
  readonly regionUrls?: Readonly<Record<string, string>>;
  /**
   * Answers link to hosts that no document names, all of them below this domain: `libreview.io`. Such links are followed over https
   * alone, and with the token. Another `apiBaseUrl` takes this away.
   */
  readonly linkDomain?: string;
}

export interface AccountContext {
  readonly http: ProviderHttp;
  readonly grantedScopes: readonly string[];
  /** The user's id at the provider where it is known already. */
  readonly providerUserId?: string | null;
  /** What the last call, or the login, gave as `account`; with `now` it lets a change of time zone hold only from then on. */
  readonly previous?: Readonly<Record<string, unknown>>;
  readonly now?: Date;
}

export interface AccountFacts {
  readonly providerUserId: string | null;
  readonly account: Record<string, unknown>;
  /** What the user lets us read, where only the API says so. Absent: what was learned when the user linked stands. */
  readonly grantedScopes?: readonly string[];
  /** Local days that have become readable, or complete, since the last look: live pulls read them again. */
  readonly completed?: PullWindow;
}

/** What is added to a call so that the provider knows whose it is. */
export interface CallAuthorization {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
}

/** A fact about a provider's app that the operator can put right; by name in the code, `appVersion` is `PROVIDER_<SLUG>_APP_VERSION`. */
export type ConnectorSettings = Readonly<Record<string, { readonly default: string; readonly description: string }>>;

/** How many pulls of whole histories one team's application may start at a provider. */
export type HistoryLimit =
  /** At most `pulls` are started within any `perMs`. */
  | { readonly kind: 'rate'; readonly pulls: number; readonly perMs: number }
  /** At most `pulls` are unfinished at the same time. */
  | { readonly kind: 'concurrency'; readonly pulls: number };

/** One provider: everything that catalogue, linking, ingest and docs need to know of it. */
export interface Connector {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  /** Numeric id on the wire (`source_id`). Never reused; the table is in the README. */
  readonly sourceId: number;
  readonly authType: AuthType;
  /** Kind of source for the catalogue filter. */
  readonly sourceKind: 'app' | 'ble' | 'device' | 'lab' | 'provider';
  /** Set when the provider itself is going away. */
  readonly deprecated: boolean;
  readonly endpoints: ProviderEndpoints;
  /** What it takes from the operator beside addresses; `configurable` sets both. Absent: nothing. */
  readonly settings?: ConnectorSettings;
  /** The same connector with other values of some settings. */
  configure?(values: Readonly<Record<string, string>>): Connector;
  /** Exactly the one of the three that `authType` names is set. */
  readonly oauth: OAuthSettings | null;
  readonly password: PasswordSupport | null;
  readonly email: EmailSupport | null;
  /** Supported resources and the scopes each needs. */
  readonly resources: Readonly<Record<string, ScopeNeeds>>;
  readonly backfillDays: number;
  readonly pulls: readonly PullSpec[];
  readonly push: PushSupport | null;
  /** How often a connection is polled. Default: every 15 minutes; every hour where the provider pushes. */
  readonly pollEveryMs?: number;
  /** Every limit that the provider's documents state; empty where they state none. */
  readonly quotas: readonly QuotaRule[];
  /** How fast bulk operations start pulls of whole histories for one team. Default: eight per minute. */
  readonly historyLimit?: HistoryLimit;
  /**
   * Facts about the account that pulls need (time zone, device kinds), fetched when linked and refreshed daily. The place for
   * a registration that the provider wants before it shows data; then safe to repeat.
   */
  account(context: AccountContext): Promise<AccountFacts>;
  /**
   * The facts of the account bound what live pulls may store, such as the last sync of a device: they are read again before live windows
   * that were planned since the last look. Default: daily.
   */
  readonly readsAccountFirst?: boolean;
  /** Default: `Authorization: Bearer <token>`. */
  authorize?(accessToken: string, account: Readonly<Record<string, unknown>>): CallAuthorization;
  /** Reads the quotas from the headers of any answer; none when they say nothing. Absent: the provider never says. */
  readQuotas?(headers: Readonly<Record<string, string | undefined>>, now: Date): readonly QuotaState[];
  /** Sorts a non-2xx answer of the API into the shared classes. */
  classify(answer: JudgedAnswer): ProviderVerdict;
  /** Finds a refusal in an answer whose status is 2xx, at providers that refuse in the body; null when it is none. */
  findRefusal?(answer: JudgedAnswer): ProviderVerdict | null;
}

/** What answers and events say of a provider, and what a demo of it makes up. Every connector is one. */
export type ProviderIdentity = Pick<Connector, 'slug' | 'name' | 'sourceId' | 'authType' | 'oauth' | 'resources'>;
