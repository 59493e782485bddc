import { Type, type Static, type TObject, type TSchema } from 'typebox';
import type { ApiKeyScope } from '@pulsewire/connections';
import type { ValidationError } from '@pulsewire/contract';
import type { KeyContext, LinkRequestContext, OpenContext, PhoneRequestContext } from '../context/context.ts';
import type { RawRequest } from '../context/raw-request.ts';
import type { Chunks } from './chunks.ts';

/**
 * Required credential: a team's key, a link token, a phone's access token or the key of a trusted app (`phone`), a team's id and key in the
 * body (`app`), or none.
 */
export type Auth = 'key' | 'link' | 'phone' | 'app' | 'none';

interface ContextOf {
  readonly key: KeyContext;
  readonly link: LinkRequestContext;
  readonly phone: PhoneRequestContext;
  readonly app: KeyContext;
  readonly none: OpenContext;
}

/** Subjects of a request that path, query and body do not contain; only for the audit log. */
export interface Concern {
  readonly userId?: string | null;
  /** Ids and counts, never values of users. */
  readonly target?: Readonly<Record<string, string>>;
}

/** A handler's result, independent of the framework. */
export interface RouteResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, with the content type in `headers` if there is one; text or bytes with such a type are sent unchanged. */
  readonly body?: unknown;
  /** The JSON text of a body too large for memory, in chunks; `body` is then absent. */
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

/** Error responses that a route declares for the OpenAPI document; 401, 422 and 500 are added where they can occur. */
export type NamedFailure = 400 | 403 | 404 | 409 | 429 | 503;

type PartOf<S> = S extends TSchema ? Static<S> : Record<never, never>;

export interface Input<P, Q, H, B> {
  readonly params: PartOf<P>;
  readonly query: PartOf<Q>;
  readonly headers: PartOf<H>;
  readonly body: PartOf<B>;
  /** The request as received, for signatures over its bytes. */
  readonly raw: RawRequest;
}

/** The raw path variables. */
export type PathParams = Readonly<Record<string, string>>;

/** The parts of a request that are known before its body. */
export type RequestHead = Pick<RawRequest, 'method' | 'headers'>;

/** What does not depend on the types of a route's parts. */
interface RouteFacts {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As in the OpenAPI document: `/v2/user/{user_id}`. */
  readonly path: string;
  /** Unique; the name of the function in generated clients. */
  readonly operationId: string;
  readonly area: string;
  readonly summary: string;
  readonly description?: string;
  /** Of the key; null: none is needed; absent: by area and method (`requiredScope`). */
  readonly scope?: ApiKeyScope | null;
  /** Returns data or tokens of many users, which the audit log records. */
  readonly exports?: boolean;
  /** Returns a credential, independently of the required scope. */
  readonly reveals?: boolean;
  readonly deprecated?: boolean;
  /** Id of the operation's deprecation, which its responses announce in headers; its use is counted. */
  readonly deprecation?: string;
  /** Content type of the body; default `application/json`. */
  readonly bodyType?: string;
  /** The handler reads and checks the body itself, from `raw.stream`; `body` only documents it. */
  readonly streamsBody?: boolean;
  /** The handler may wait for a provider, a partner or a job: only its transactions take turns for the database, not the whole request. */
  readonly waitsForOthers?: boolean;
  /** The handler bounds by itself how much of the database it uses. */
  readonly boundsItself?: boolean;
  /** Bytes of the body at most; default 1 MiB. */
  readonly bodyBytesMax?: number;
  /** A GET that also serves HEAD. */
  readonly servesHead?: boolean;
  readonly responses: Readonly<Record<number, ResponseSpec>>;
  readonly failures?: readonly NamedFailure[];
}

export interface RouteSpec<A extends Auth, P, Q, H, B> extends RouteFacts {
  readonly auth: A;
  readonly params?: P;
  readonly query?: Q;
  readonly headers?: H;
  readonly body?: B;
  /**
   * Whether the request is admitted, decided before its body is read: throws, or returns the response of a refusal; null
   * admits it. Sees only path, method and headers, not validated.
   */
  admit?(context: ContextOf[A], params: PathParams, head: RequestHead): Promise<RouteResponse | null> | RouteResponse | null;
  /** Whose turns for the database a request without a key takes; default: those of its address. */
  turnsOf?(input: Input<P, Q, H, B>): string;
  /** The user whose turns a request without a key takes, looked up in a turn of its address; null: nobody is known by what it presents. */
  userOf?(context: ContextOf[A], input: Input<P, Q, H, B>): Promise<string | null>;
  /** Rules over several fields; called only when each field is valid by itself. */
  refine?(input: Input<P, Q, H, B>, context: ContextOf[A]): readonly ValidationError[];
  handler(context: ContextOf[A], input: Input<P, Q, H, B>): Promise<RouteResponse>;
}

/** A route of any shape, as the server mounts it. */
export interface Route extends RouteFacts {
  readonly auth: Auth;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly headers?: TObject;
  readonly body?: TSchema;
  admit?(context: unknown, params: PathParams, head: RequestHead): Promise<RouteResponse | null> | RouteResponse | null;
  turnsOf?(input: unknown): string;
  userOf?(context: unknown, input: unknown): Promise<string | null>;
  refine?(input: unknown, context: unknown): readonly ValidationError[];
  handler(context: unknown, input: unknown): Promise<RouteResponse>;
}

/** Infers the types of the handler from the schemas. */
export function defineRoute<
  const A extends Auth,
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  H extends TObject | undefined = undefined,
  B extends TSchema | undefined = undefined,
>(spec: RouteSpec<A, P, Q, H, B>): Route {
  // The server passes exactly the context of `auth` and the validated parts.
  return spec as unknown as Route;
}

export function ok(body: unknown, concerns?: Concern): RouteResponse {
  return { status: 200, body, ...(concerns && { concerns }) };
}

/** A PDF, displayed by the browser and saved under this name. */
export function pdf(bytes: Uint8Array, name: string, concerns?: Concern): RouteResponse {
  const headers = { 'content-type': pdfType, 'content-disposition': `inline; filename="${name}.pdf"` };
  return { status: 200, headers, body: Buffer.from(bytes), ...(concerns && { concerns }) };
}

const pdfType = 'application/pdf';

export function pdfResponse(description: string): ResponseSpec {
  return { description, contentType: pdfType, schema: Type.String({ format: 'binary' }) };
}

/** A streamed body. */
export function streamed(chunks: Chunks, state: string, concerns?: Concern): RouteResponse {
  return { status: 200, chunks, state, ...(concerns && { concerns }) };
}

export function accepted(body?: unknown, concerns?: Concern): RouteResponse {
  return { status: 202, body, ...(concerns && { concerns }) };
}

export const noContent: RouteResponse = { status: 204 };
