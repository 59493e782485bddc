import type { Static, TObject, TSchema } from 'typebox';
import type { ApiKeyScope } from '@pulsewire/connections';
import type { ValidationError } from '@pulsewire/contract';
import type { KeyContext, LinkRequestContext, OpenContext } from '../context/context.ts';
import type { RawRequest } from '../context/raw-request.ts';
import type { Chunks } from './chunks.ts';

/** Who may call: a team by its key, whoever holds a link token, anybody. */
export type Auth = 'key' | 'link' | 'none';

interface ContextOf {
  readonly key: KeyContext;
  readonly link: LinkRequestContext;
  readonly none: OpenContext;
}

/** Whom and what a request was about, where path, query and body do not say it; for the audit log alone. */
export interface Concern {
  readonly userId?: string | null;
  /** Ids and counts, never values of users. */
  readonly target?: Readonly<Record<string, string>>;
}

/** What a handler gives back; nothing of the framework in it. */
export interface RouteResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, under a content type of its own if `headers` names one; text with such a type is sent as it is. */
  readonly body?: unknown;
  /** The JSON text of a body that is too large to hold, in pieces; then there is no `body`. */
  readonly chunks?: Chunks;
  /** With `chunks`: a text that changes whenever the body would. */
  readonly state?: string;
  readonly concerns?: Concern;
}

export interface ResponseSpec {
  readonly description: string;
  /** Absent: no body. */
  readonly schema?: TSchema;
  /** Default `application/json`. */
  readonly contentType?: string;
}

/** Failures that a route names in the OpenAPI document; 401, 422 and 500 are added where they can happen. */
export type NamedFailure = 400 | 403 | 404 | 409 | 429 | 503;

type PartOf<S> = S extends TSchema ? Static<S> : Record<never, never>;

export interface Input<P, Q, H, B> {
  readonly params: PartOf<P>;
  readonly query: PartOf<Q>;
  readonly headers: PartOf<H>;
  readonly body: PartOf<B>;
  /** The request as it came, for what is signed over its bytes. */
  readonly raw: RawRequest;
}

/** The variables of a path as they came. */
export type PathParams = Readonly<Record<string, string>>;

/** What of a request is there before its body. */
export type RequestHead = Pick<RawRequest, 'method' | 'headers'>;

export interface RouteSpec<A extends Auth, P, Q, H, B> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As in the OpenAPI document: `/v2/user/{user_id}`. */
  readonly path: string;
  /** Unique; clients name their functions after it. */
  readonly operationId: string;
  readonly area: string;
  readonly summary: string;
  readonly description?: string;
  readonly auth: A;
  /** Of the key; absent: by area and method (`requiredScope`). */
  readonly scope?: ApiKeyScope;
  /** Hands out data or tokens of many users: the audit log says so. */
  readonly exports?: boolean;
  /** Hands out a credential, whatever scope it takes. */
  readonly reveals?: boolean;
  readonly deprecated?: boolean;
  /** Id of the deprecation that the operation is part of: its responses say so in headers, and its use is counted. */
  readonly deprecation?: string;
  readonly params?: P;
  readonly query?: Q;
  readonly headers?: H;
  readonly body?: B;
  /** The handler reads and checks the body itself, from `raw.stream`; `body` only documents it. */
  readonly streamsBody?: boolean;
  /** A GET that also serves HEAD. */
  readonly servesHead?: boolean;
  readonly responses: Readonly<Record<number, ResponseSpec>>;
  readonly failures?: readonly NamedFailure[];
  /**
   * Whether the request is admitted, decided before its body is read: throws, or returns the response of a refusal; null
   * lets it in. Of the input it sees path, method and headers alone, unchecked.
   */
  admit?(context: ContextOf[A], params: PathParams, head: RequestHead): Promise<RouteResponse | null> | RouteResponse | null;
  /** Rules that need several fields; asked only when each field is right by itself. */
  refine?(input: Input<P, Q, H, B>, context: ContextOf[A]): readonly ValidationError[];
  handler(context: ContextOf[A], input: Input<P, Q, H, B>): Promise<RouteResponse>;
}

/** A route of any shape, as the server mounts it. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly operationId: string;
  readonly area: string;
  readonly summary: string;
  readonly description?: string;
  readonly auth: Auth;
  readonly scope?: ApiKeyScope;
  readonly exports?: boolean;
  readonly reveals?: boolean;
  readonly deprecated?: boolean;
  /** Id of the deprecation that the operation is part of: its responses say so in headers, and its use is counted. */
  readonly deprecation?: string;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly headers?: TObject;
  readonly body?: TSchema;
  /** The handler reads and checks the body itself, from `raw.stream`; `body` only documents it. */
  readonly streamsBody?: boolean;
  /** A GET that also serves HEAD. */
  readonly servesHead?: boolean;
  readonly responses: Readonly<Record<number, ResponseSpec>>;
  readonly failures?: readonly NamedFailure[];
  admit?(context: unknown, params: PathParams, head: RequestHead): Promise<RouteResponse | null> | RouteResponse | null;
  refine?(input: unknown, context: unknown): readonly ValidationError[];
  handler(context: unknown, input: unknown): Promise<RouteResponse>;
}

/** Ties the types of the schemas to those of the handler. */
export function defineRoute<
  const A extends Auth,
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  H extends TObject | undefined = undefined,
  B extends TSchema | undefined = undefined,
>(spec: RouteSpec<A, P, Q, H, B>): Route {
  // The server hands over exactly the context of `auth` and the parts that the schemas passed.
  return spec as unknown as Route;
}

export function ok(body: unknown, concerns?: Concern): RouteResponse {
  return { status: 200, body, ...(concerns && { concerns }) };
}

/** A body that is produced while it is sent. */
export function streamed(chunks: Chunks, state: string, concerns?: Concern): RouteResponse {
  return { status: 200, chunks, state, ...(concerns && { concerns }) };
}

export function accepted(body?: unknown, concerns?: Concern): RouteResponse {
  return { status: 202, body, ...(concerns && { concerns }) };
}

export const noContent: RouteResponse = { status: 204 };
