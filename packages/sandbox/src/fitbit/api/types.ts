import type { Account } from '../accounts/types.ts';
import type { Units } from '../data/units.ts';
import type { Grant } from '../oauth/types.ts';
import type { SimulatorParts } from '../parts.ts';
import type { ApplicationSpec, scopes } from '../types.ts';

/** One authenticated request, as a handler sees it. */
export interface ApiCall {
  readonly account: Account;
  readonly application: ApplicationSpec;
  readonly grant: Grant;
  /** Named groups of the route's pattern. */
  readonly path: Readonly<Record<string, string | undefined>>;
  readonly query: URLSearchParams;
  readonly units: Units;
  readonly subscriberId: string | undefined;
  readonly parts: SimulatorParts;
}

export interface ApiAnswer {
  readonly status?: number;
  /** Absent: an empty answer. Text is sent as `contentType`. */
  readonly body?: object | string;
  readonly contentType?: string;
}

/** One row of the API: to add an endpoint, add a row. */
export interface ApiRoute {
  /** Name in the statistics. */
  readonly kind: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Matched against the path after `/{version}/user/{id}`. */
  readonly version: '1' | '1.1' | '1.2';
  readonly pattern: RegExp;
  /** Needed besides a valid token; undefined: none, or the handler decides. */
  readonly scope?: (typeof scopes)[number] | undefined;
  readonly respond: (call: ApiCall) => ApiAnswer;
}
