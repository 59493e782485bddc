import type { FastifyInstance } from 'fastify';
import type { SimulatorClock } from '../simulator-clock.ts';
import type { AccountBook, SimAccount } from './accounts.ts';
import type { Faults } from './faults.ts';
import type { Grant, GrantBook } from './oauth/grants.ts';
import type { Change } from './person/types.ts';
import type { PushMessage, PushSender, PushTarget } from './push/sender.ts';
import type { Refusal } from './refusal.ts';
import type { SimulatorApplication, SimulatorCapabilities } from './types.ts';

/** An answer of the simulated API; `status` 200 by default. A `text` body is sent as it is. */
export interface ApiAnswer {
  readonly status?: number;
  readonly body?: unknown;
  readonly text?: string;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request on its way to a route. */
export interface ApiCall {
  readonly method: string;
  readonly path: string;
  /** From the pattern: `/users/:id`. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body as it came. */
  readonly text: string;
  readonly form: URLSearchParams;
  /** Parsed body; undefined when it is no JSON. */
  readonly json: unknown;
  readonly parts: SimulatorParts;
}

/** A request that came with a good token. */
export interface UserCall extends ApiCall {
  readonly account: SimAccount;
  readonly grant: Grant;
}

interface RouteCommon {
  /** For faults and the request log: `sleep.list`. */
  readonly kind: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
}

/** `user`: needs a good access token (and a scope). `open`: the handler looks for itself, faults do not strike unless `hasFaults`. */
export type ApiRoute =
  | (RouteCommon & { readonly auth: 'user'; readonly scope?: string; respond(call: UserCall): ApiAnswer | Promise<ApiAnswer> })
  | (RouteCommon & { readonly auth: 'open'; readonly hasFaults?: boolean; respond(call: ApiCall): ApiAnswer | Promise<ApiAnswer> });

/** The OAuth server of a provider, with its variations (auth matrix). */
export interface OAuthSpec {
  readonly authorizePath: string;
  readonly tokenPath: string;
  /** Called `revokeUrl` in the endpoints; its route is the definition's own unless `revoke` is RFC 7009's form. */
  readonly revokePath?: string;
  /** RFC 7009: form with `token` at `revokePath`. Default false. */
  readonly hasPlainRevocation?: boolean;
  readonly clientAuth: 'basic' | 'body' | 'query';
  readonly pkce: 'required' | 'optional' | 'none';
  readonly scopeSeparator: ' ' | ',' | null;
  /** Known scopes; without a separator, what the person may tick. */
  readonly scopes: readonly string[];
  readonly refresh: 'rotates' | 'keeps' | 'none';
  /** Simulated seconds; null: for ever. */
  readonly accessTokenSeconds: number | null;
  /** For so long a used refresh token repeats its pair. Default 0. */
  readonly graceSeconds?: number;
  /** Adds what was granted to the redirect back. */
  readonly scopeInCallback?: boolean;
  /** Checks further fields of exchange and refresh; throws `Refusal`. */
  check?(form: URLSearchParams): void;
  /** The body of a token answer. Default RFC 6749's. */
  tokenAnswer?(tokens: TokenAnswer): object;
}

export interface TokenAnswer {
  readonly grantType: string;
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly expiresIn: number | null;
  readonly scopes: readonly string[];
  readonly account: SimAccount;
}

export interface QuotaSpec {
  readonly scope: 'app' | 'user';
  readonly requests: number;
  readonly perSeconds: number;
  /** Headers of every answer. */
  headers?(state: { readonly limit: number; readonly remaining: number; readonly resetSeconds: number }): Record<string, string>;
}

export interface PushSpec {
  /** The handshake with an address; true when it answered as it must. Default: nothing is asked. */
  handshake?(target: PushTarget, parts: SimulatorParts): Promise<boolean>;
  /** What is sent for a change of an account, none for what is not announced. Batched by nobody: one message, one request. */
  messages(change: Change, account: { readonly providerUserId: string }, parts: SimulatorParts): readonly PushMessage[];
  /** What is sent when a consent is withdrawn. */
  revocation?(account: { readonly providerUserId: string }, parts: SimulatorParts): readonly PushMessage[];
  /** The messages are the data: faults of items strike them too. */
  readonly carriesData?: boolean;
  /** Headers over the exact body. Absent: nothing is signed. */
  sign?(
    body: string,
    context: { readonly application: SimulatorApplication; readonly target: PushTarget; readonly now: Date },
  ): Record<string, string>;
  /** Statuses that count as accepted. Default 200 to 299. */
  isAccepted?(status: number): boolean;
  /** Whom an address is told about. Default: every account that linked with its application. */
  concerns?(target: PushTarget, message: PushMessage, account: SimAccount): boolean;
}

/** One provider to simulate, written from its documents. */
export interface SimulatorDefinition {
  readonly slug: string;
  readonly capabilities: SimulatorCapabilities;
  /** Below which the API lies: `/v2`. Default: at the root. */
  readonly apiPath?: string;
  readonly regionPaths?: Readonly<Record<string, string>>;
  readonly oauth?: OAuthSpec;
  readonly routes: readonly ApiRoute[];
  readonly quota?: QuotaSpec;
  readonly push?: PushSpec;
  /** Pushes that the API's own subscriptions wait for are sent so soon, wall ms. Default 1. */
  readonly pushDelayMs?: number;
  /** The provider's id of an account. Default: digits from the name. */
  providerUserId?(name: string): string;
  /** A refusal in the provider's own form. Default `{ error, message }`. */
  refuse?(refusal: Refusal): ApiAnswer;
  /** Where the access token of a request stands. Default `Authorization: Bearer`. null: there is none. */
  readToken?(call: ApiCall): string | null;
  /** A broken item more in an answer. Default: in its longest list. */
  breakItem?(body: object): object;
  /** Anything that the routes cannot say. */
  extend?(server: FastifyInstance, parts: SimulatorParts): void;
}

/** What the routes of one simulator work with. */
export interface SimulatorParts {
  readonly clock: SimulatorClock;
  readonly applications: ReadonlyMap<string, SimulatorApplication>;
  readonly accounts: AccountBook;
  readonly grants: GrantBook;
  readonly faults: Faults;
  readonly pushes: PushSender;
  /** For whatever a definition keeps: subscriptions, uploads. Saved with the state; JSON only. */
  readonly memory: Map<string, unknown>;
  /** Where links in answers point. */
  url(): string;
  /** Announces what changed in an account, as the provider would. */
  announce(account: SimAccount, changes: readonly Change[]): void;
  /** Writes the state file, if there is one, before it returns. */
  save(): void;
}
