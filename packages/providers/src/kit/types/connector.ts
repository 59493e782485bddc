import type { SeenDevice } from '@pulsewire/contract';
import type { EmailSupport } from './email.ts';
import type { PasswordSupport } from './password.ts';
import type { JudgedResponse, ProviderHttp, ProviderVerdict, QuotaRule, QuotaState } from './http.ts';
import type { OAuthApplication, OAuthSettings } from './oauth.ts';
import type { PullSpec, PullUser, PullWindow } from './pull.ts';
import type { PushSupport } from './push.ts';

export type * from './email.ts';
export type * from './password.ts';
export type * from './http.ts';
export type * from './oauth.ts';
export type * from './pull.ts';
export type * from './push.ts';

/** How a user links this provider. */
export type AuthType = 'oauth' | 'team_oauth' | 'sdk' | 'password' | 'email' | 'app';

/** Scopes at the provider that a resource needs. */
export interface ScopeNeeds {
  readonly required: readonly string[];
  /** Without these only some fields are missing. */
  readonly optional: readonly string[];
}

/** Base addresses of a provider; overridable, so that a simulator can replace it. */
export interface ProviderEndpoints {
  readonly apiBaseUrl: string;
  /** null when the provider does not use OAuth. */
  readonly authorizeUrl: string | null;
  readonly tokenUrl: string | null;
  readonly revokeUrl: string | null;
  /**
   * Other base addresses of the API, by the `region` in the account facts. Overriding `apiBaseUrl` overrides all of them, so that
   * every call reaches the simulator.
   */
  readonly regionUrls?: Readonly<Record<string, string>>;
  /**
   * Domain of undocumented hosts that responses link to, such as `libreview.io`. Such links are followed with the token, over https
   * only. Overriding `apiBaseUrl` clears it.
   */
  readonly linkDomain?: string;
}

export interface AccountContext {
  readonly http: ProviderHttp;
  readonly grantedScopes: readonly string[];
  /** The user's id at the provider, if already known. */
  readonly providerUserId?: string | null;
  /** `account` from the last call or the login; with `now`, a time zone change can apply only from then on. */
  readonly previous?: Readonly<Record<string, unknown>>;
  readonly now?: Date;
}

export interface AccountFacts {
  readonly providerUserId: string | null;
  readonly account: Record<string, unknown>;
  /** Scopes that the user granted, when only the API reports them. Absent: the scopes recorded at link time remain. */
  readonly grantedScopes?: readonly string[];
  /** Local days that have become readable or complete since the last call; live pulls read them again. */
  readonly completed?: PullWindow;
}

/** Headers, query parameters and members of the JSON body that authorize a call. */
export interface CallAuthorization {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Added to the object that a call sends as JSON. */
  readonly json?: Readonly<Record<string, string>>;
}

/** Facts about a provider's app that the operator can correct, by name: `appVersion` is `PROVIDER_<SLUG>_APP_VERSION`. */
export type ConnectorSettings = Readonly<
  Record<
    string,
    {
      readonly default: string;
      readonly description: string;
      readonly isSecret?: true;
      /** Every allowed value; absent: any text. */
      readonly values?: readonly string[];
    }
  >
>;

/** Limits how many full-history pulls one team's application may start at a provider. */
export type HistoryLimit =
  /** At most `pulls` are started within any `perMs`. */
  | { readonly kind: 'rate'; readonly pulls: number; readonly perMs: number }
  /** At most `pulls` are unfinished at the same time. */
  | { readonly kind: 'concurrency'; readonly pulls: number };

/** A provider's own list of a user's devices. It does not link devices to records: only a record that names its device is certain. */
export interface DeviceList {
  /** Reads the account facts, where `account` has stored them. */
  read(user: PullUser): readonly SeenDevice[];
}

/** The end of a provider's interface, as the provider has announced it. */
export interface ProviderEnd {
  readonly state: 'announced' | 'ended';
  /** As people write it: `on 2 November 2026`, `during 2026`. */
  readonly when: string;
}

/** An ending provider that another replaces. */
export interface Succession {
  readonly provider: string;
  /** The id at the ending provider of an account, by its facts at the successor; null: unknown. */
  accountOf(account: Readonly<Record<string, unknown>>): string | null;
}

export interface ResourceSuccession extends Succession {
  /** Resources of which the provider delivers values that nothing was measured for, each with the resource that shows real data. */
  readonly shownBy: Readonly<Record<string, string>>;
}

/** One provider: everything that the catalogue, linking, ingest and the docs need. */
export interface Connector {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  /** Numeric id on the wire (`source_id`). Never reused; the table is in the README. */
  readonly sourceId: number;
  readonly authType: AuthType;
  /** Kind of source for the catalogue filter. */
  readonly sourceKind: 'app' | 'ble' | 'device' | 'lab' | 'provider';
  /** Set when the provider shuts its interface down. Catalogue and documentation say so. */
  readonly end?: ProviderEnd;
  /** Slug of the provider that users should link when this one has shut down. Absent: none replaces it. */
  readonly successor?: string;
  /**
   * The ending provider that this one replaces, and the id there of an account, by its facts here; null: unknown. A user's connection to
   * that account is handed over: each day is read from one of the two. Absent: it replaces none.
   */
  readonly succeeds?: Succession;
  /**
   * The same for an ending provider that also has data which this one lacks: its connection stays, and each resource that both have is handed
   * over on its own once this one delivers it.
   */
  readonly succeedsPerResource?: ResourceSuccession;
  readonly endpoints: ProviderEndpoints;
  /**
   * Why this connector proves nothing about the provider, and what the operator needs: no data interface is public, so the form of the
   * responses is our own. It cannot be enabled without an address of the operator. Absent: the interface is the provider's.
   */
  readonly ownFormat?: string;
  /** Settings from the operator other than addresses; `configurable` sets both members. Absent: none. */
  readonly settings?: ConnectorSettings;
  /** The same connector with other values of some settings. */
  configure?(values: Readonly<Record<string, string>>): Connector;
  /** Exactly one of the three is set: the one that corresponds to `authType`. */
  readonly oauth: OAuthSettings | null;
  readonly password: PasswordSupport | null;
  readonly email: EmailSupport | null;
  /** Supported resources and the scopes each needs. */
  readonly resources: Readonly<Record<string, ScopeNeeds>>;
  /** Resources that the provider is documented to have and that this connector cannot read, with the reason. Absent: there are none. */
  readonly unavailableResources?: Readonly<Record<string, string>>;
  /**
   * Where the offsets of its values come from, unless a record states otherwise: most providers send them with the value (the default);
   * `zone`: all are computed from the zone of the account or the user's fallback zone.
   */
  readonly offsetsFrom?: 'values' | 'zone';
  readonly backfillDays: number;
  readonly pulls: readonly PullSpec[];
  readonly push: PushSupport | null;
  /** How often a connection is polled. Default: every 15 minutes; every hour where the provider notifies. */
  readonly pollEveryMs?: number;
  /** Every documented limit; empty when the provider documents none. */
  readonly quotas: readonly QuotaRule[];
  /** How fast bulk operations start full-history pulls for one team. Default: eight per minute. */
  readonly historyLimit?: HistoryLimit;
  /**
   * Facts about the account that pulls need (time zone, device kinds), fetched when linked and refreshed daily. Also performs
   * any registration that the provider requires before it returns data; it must be safe to repeat.
   */
  account(context: AccountContext): Promise<AccountFacts>;
  /**
   * True when account facts limit what live pulls may store, such as the last sync of a device: they are then refreshed before live
   * windows planned since the last refresh. Default: refreshed daily.
   */
  readonly readsAccountFirst?: boolean;
  /** The devices that the account facts name. Absent: the provider does not list them. */
  readonly devices?: DeviceList;
  /** Default: `Authorization: Bearer <token>`. */
  authorize?(accessToken: string, account: Readonly<Record<string, unknown>>, application?: OAuthApplication | null): CallAuthorization;
  /** Calls also need the application's own id and secret: pulls then pass it to `authorize`, which gets null otherwise. */
  readonly authorizesWithApplication?: true;
  /** Reads quotas from response headers; empty when they contain none. Absent: the provider never reports quotas. */
  readQuotas?(headers: Readonly<Record<string, string | undefined>>, now: Date): readonly QuotaState[];
  /** Maps a non-2xx response of the API to a shared error code. */
  classify(response: JudgedResponse): ProviderVerdict;
  /** Finds an error in the body of a 2xx response; null when there is none. */
  findRefusal?(response: JudgedResponse): ProviderVerdict | null;
}

/** The part of a provider that responses and events contain and that a demo needs. Every connector is one. */
export type ProviderIdentity = Pick<Connector, 'slug' | 'name' | 'sourceId' | 'authType' | 'oauth' | 'resources' | 'unavailableResources'>;
