import type { AuthenticatedKey } from '@pulsewire/connections';
import type { PhoneClaims } from '@pulsewire/intake';
import type { Logger, Metrics } from '@pulsewire/kernel';
import type { Trace } from '@pulsewire/runtime';
import type { ApiContext } from '../context/context.ts';
import type { RefusedKey } from './requests/authenticate.ts';
import type { Route, RouteResponse } from '../route/route.ts';
import type { ReadDeadlines } from './requests/unread-body.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose key was refused, for the log. */
    refusedKey: Partial<RefusedKey> | null;
    key: AuthenticatedKey | null;
    /** The identity behind the access token of a phone. */
    phone: PhoneClaims | null;
    trace: Trace;
    /** Span of the client that sent `traceparent`; undefined: the request started the trace. */
    parentSpanId: string | undefined;
  }
}

/** Of a body that is read as a whole, unless its route has a limit of its own. */
export const bodyBytesMax = 1024 * 1024;

export interface ServerOptions {
  readonly context: ApiContext;
  readonly routes: readonly Route[];
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** False as soon as the process drains: then every request except health checks gets 503. */
  readonly isServing: () => boolean;
  /** Networks of trusted proxies, from which `X-Forwarded-For` is accepted. */
  readonly trustedProxies?: readonly string[];
  /** Called with every JSON response; tests compare responses with the OpenAPI document through it. */
  readonly onRouteResponse?: ((route: Route, response: RouteResponse) => void) | undefined;
  readonly deadlines?: ReadDeadlines | undefined;
  /** Requests of one connection that may await their responses. */
  readonly pipelinedMax?: number | undefined;
  /** Age from which a connection ends after its next response; default: none. */
  readonly connectionMaxMs?: number;
}
