import type { FastifyInstance } from 'fastify';
import type { SimulatorClock } from '../../model/simulator-clock.ts';
import type { AccountBook, SimAccount } from '../accounts/accounts.ts';
import type { Faults } from '../parts/faults.ts';
import type { Grant, GrantBook } from '../accounts/grants.ts';
import type { AccountPerson, Person } from '../person/person.ts';
import type { Change } from '../person/types.ts';
import type { PushMessage, PushSender, PushTarget } from '../push/sender.ts';
import type { RefusalError } from '../parts/refusal.ts';
import type { KeptState } from './state.ts';
import type { StatisticsBook } from '../parts/statistics.ts';
import type { AccountSpec, SimulatorApplication, SimulatorCapabilities, TroubleControl } from '../types.ts';

/** A response of the simulated API; `status` 200 by default. A `text` or `bytes` body is sent unchanged. */
export interface ApiResponse {
  readonly status?: number;
  readonly body?: unknown;
  readonly text?: string;
  readonly bytes?: Buffer;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request, as a route's handler sees it. */
export interface ApiCall<P extends AccountPerson = Person> {
  readonly method: string;
  readonly path: string;
  /** Parameters of the path: `/users/:id`. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The unparsed body. */
  readonly text: string;
  readonly form: URLSearchParams;
  /** The parsed body; undefined when it is not JSON. */
  readonly json: unknown;
  readonly parts: SimulatorParts<P>;
}

/** A request with a valid token. */
export interface UserCall<P extends AccountPerson = Person> extends ApiCall<P> {
  readonly account: SimAccount<P>;
  readonly grant: Grant;
}

interface RouteCommon {
  /** For faults and the request log: `sleep.list`. */
  readonly kind: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
}

/**
 * `user`: needs a valid access token (and a scope). `open`: the handler authenticates the request itself, and faults apply only with
 * `hasFaults`; `before`: none that lose the response, for calls that rotate a refresh token.
 */
export type ApiRoute<P extends AccountPerson = Person> =
  | (RouteCommon & { readonly auth: 'user'; readonly scope?: string; respond(call: UserCall<P>): ApiResponse | Promise<ApiResponse> })
  | (RouteCommon & {
      readonly auth: 'open';
      readonly hasFaults?: boolean | 'before';
      respond(call: ApiCall<P>): ApiResponse | Promise<ApiResponse>;
    });

/** What a trouble may depend on: the call, of which some routes show only a part, and the account, where one is known. */
export type TroubledCall = Pick<ApiCall, 'headers' | 'json'> &
  Partial<Pick<ApiCall, 'query' | 'form' | 'params'>> & {
    readonly account?: { readonly providerUserId: string };
    readonly parts?: { url(): string };
  };

/** The response to a call of this kind while the trouble lasts; null when the call succeeds. */
export type Trouble = (kind: string, call: TroubledCall) => ApiResponse | null;

export interface Troubles extends TroubleControl {
  responseTo: Trouble;
}

/** The OAuth server of a provider, with its variations. */
export interface OAuthSpec {
  readonly authorizePath: string;
  readonly tokenPath: string;
  /** `GET`: the fields of exchange and refresh are in the query, possibly at the address of the consent page. Default `POST`. */
  readonly tokenMethod?: 'GET' | 'POST';
  /** Under which name the scopes are requested. Default `scope`. */
  readonly scopeParameter?: string;
  /** Called `revokeUrl` in the endpoints. The definition adds the route itself unless `hasPlainRevocation` is set. */
  readonly revokePath?: string;
  /** RFC 7009: form with `token` at `revokePath`. Default false. */
  readonly hasPlainRevocation?: boolean;
  readonly clientAuth: 'basic' | 'body' | 'query';
  readonly pkce: 'required' | 'optional' | 'none';
  readonly scopeSeparator: ' ' | ',' | null;
  /** Known scopes; without a separator, those that the person may tick. */
  readonly scopes: readonly string[];
  readonly refresh: 'rotates' | 'keeps' | 'none';
  /** Simulated seconds; null: no expiry. */
  readonly accessTokenSeconds: number | null;
  /** Consents in force per person and application; more are refused, and with that many nothing is refreshed. Default: no limit. */
  readonly grantsMax?: { readonly count: number; readonly message: string };
  /** How long a used refresh token still returns the same pair. Default 0. */
  readonly graceSeconds?: number;
  /** On the consent page, where the data comes from. Default: `people and data are made up`. */
  readonly consentNote?: string;
  /**
   * The state does not come back. The redirect address may have a query, which is kept. People whose name begins with `Stateful` get both.
   */
  readonly losesState?: boolean;
  /** Adds the granted scopes to the redirect. */
  readonly scopeInCallback?: boolean;
  /** How a request states whether it exchanges or refreshes. Default: its `grant_type`. */
  grantType?(form: URLSearchParams): string;
  /** Checks further fields of exchange and refresh; throws `RefusalError`. */
  check?(form: URLSearchParams): void;
  /** The body of a token response. Default: that of RFC 6749. */
  tokenResponse?(tokens: TokenResponse): object;
}

export interface TokenResponse {
  readonly grantType: string;
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly expiresIn: number | null;
  readonly scopes: readonly string[];
  readonly account: SimAccount<AccountPerson>;
}

export interface QuotaSpec {
  readonly scope: 'app' | 'user';
  readonly requests: number;
  readonly perSeconds: number;
  /** Headers of every response. */
  headers?(state: { readonly limit: number; readonly remaining: number; readonly resetSeconds: number }): Record<string, string>;
}

export interface PushSpec<P extends AccountPerson = Person> {
  /** The handshake with an address; true when it passed. Default: none. */
  handshake?(target: PushTarget, parts: SimulatorParts<P>): Promise<boolean>;
  /**
   * The messages about a change of an account; none when the provider does not announce it. One request per message unless there is a
   * `batch`.
   */
  messages(change: Change, account: { readonly providerUserId: string }, parts: SimulatorParts<P>): readonly PushMessage[];
  /** What is sent when a consent is withdrawn. */
  revocation?(account: { readonly providerUserId: string }, parts: SimulatorParts<P>): readonly PushMessage[];
  /** What is sent when the user changes the permissions of a consent. */
  permissions?(account: { readonly providerUserId: string }, scopes: readonly string[], parts: SimulatorParts<P>): readonly PushMessage[];
  /** Messages to an address that come within `waitMs` are sent once each, as one JSON array of up to `max`. */
  readonly batch?: { readonly waitMs: number; readonly max: number };
  /** Wall ms that a request may take. Default 10 seconds. */
  readonly deadlineMs?: number;
  /** Wall ms before the second and later attempts. Default twice a second; `pushRetryMs` replaces each of them. */
  readonly retryDelaysMs?: readonly number[];
  /** Failures in a row after which an address gets nothing until it is registered again. Default: never. */
  readonly failuresMax?: number;
  /** The messages carry the data, so `malformed_item` applies to them too. */
  readonly carriesData?: boolean;
  /** Signature headers over the exact body. Absent: pushes are unsigned. */
  sign?(
    body: string,
    context: { readonly application: SimulatorApplication; readonly target: PushTarget; readonly now: Date },
  ): Record<string, string>;
  /** Statuses that count as accepted. Default 200 to 299. */
  isAccepted?(status: number): boolean;
  /** Whether an address is notified about an account. Default: if the account is linked with its application. */
  concerns?(target: PushTarget, message: PushMessage, account: SimAccount<P>): boolean;
}

/** One provider to simulate, written from its documents. */
export interface SimulatorDefinition<P extends AccountPerson = Person> {
  readonly slug: string;
  readonly capabilities: SimulatorCapabilities;
  /** What an operator would set for the connector, such as a key of the vendor's app. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Base path of the API: `/v2`. Default: the root. */
  readonly apiPath?: string;
  readonly regionPaths?: Readonly<Record<string, string>>;
  readonly oauth?: OAuthSpec;
  readonly routes: readonly ApiRoute<P>[];
  readonly quota?: QuotaSpec;
  readonly push?: PushSpec<P>;
  /** The provider's id of an account. Default: digits from the name. */
  providerUserId?(name: string): string;
  /** The person behind an account. Default: a made-up one (`createPerson`). */
  createPerson?(spec: AccountSpec, clock: SimulatorClock, snapshot: unknown): P;
  /** A refusal in the provider's own form. Default `{ error, message }`. */
  refuse?(refusal: RefusalError, endpoint: 'api' | 'oauth'): ApiResponse;
  /** Ends what depends on a consent, such as subscriptions to the user. */
  onConsentEnded?(grant: Grant, parts: SimulatorParts<P>): void;
  /** Reads a state file that an earlier version of this simulator has written. */
  readOldState?(state: unknown): KeptState | undefined;
  /** Reads the access token of a request; null when there is none. Default: `Authorization: Bearer`. */
  readToken?(call: ApiCall<P>): string | null;
  /** Adds a broken item to a response. Default: to its longest list. */
  breakItem?(body: object): object;
  /** Requests and responses are enclosed in another body, such as an encrypted one. Recorded responses are stored without it. */
  readonly envelope?: { open(json: unknown): unknown; seal(body: unknown): ApiResponse };
  /** What is documented to go wrong for a time, by name. */
  readonly troubles?: Readonly<Record<string, Trouble>>;
  /** For what cannot be declared as a route. */
  extend?(server: FastifyInstance, parts: SimulatorParts<P>): void;
}

/** What the routes of one simulator work with. */
export interface SimulatorParts<P extends AccountPerson = Person> {
  readonly clock: SimulatorClock;
  readonly applications: ReadonlyMap<string, SimulatorApplication>;
  readonly accounts: AccountBook<P>;
  readonly grants: GrantBook;
  readonly faults: Faults;
  readonly troubles: Troubles;
  readonly pushes: PushSender;
  /** Storage for the definition, such as subscriptions and uploads. Saved with the state; JSON only. */
  readonly memory: Map<string, unknown>;
  readonly statistics: StatisticsBook;
  /** Aborts when the simulator closes. */
  readonly closing: AbortSignal;
  /** The base address of links in responses. */
  url(): string;
  /** Announces what changed in an account, as the provider would. */
  announce(account: SimAccount<P>, changes: readonly Change[]): void;
  /** Writes the state file, if there is one, before it returns. */
  save(): void;
}
