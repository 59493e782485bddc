import { randomUUID } from 'node:crypto';
import { METHODS } from 'node:http';
import { Readable } from 'node:stream';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import swagger from '@fastify/swagger';
import { isAppError, type Logger, type Metrics, recordSpan } from '@pulsewire/kernel';
import type { AuthenticatedKey } from '@pulsewire/connections';
import { currentTrace, newTrace, parseTraceparent, runWithTrace, type Trace } from '@pulsewire/runtime';
import type { ApiContext } from '../context/context.ts';
import { openApiOptions } from '../docs/openapi-options.ts';
import { routeSchema } from '../docs/route-schema.ts';
import { createAllowedMethods, type AllowedMethods } from './allowed-methods.ts';
import { deprecationHeaders } from './deprecation-headers.ts';
import { encodeResponses } from './encode-responses.ts';
import { entityTag } from './entity-tag.ts';
import { errorResponse } from './send-error.ts';
import { auditRequests, rememberBody } from './audit-requests.ts';
import { authenticate } from './authenticate.ts';
import { callerAddress } from './caller-address.ts';
import { assertScope } from '../route/required-scope.ts';
import { tooManyRequests } from '../limits/key-rates.ts';
import type { RawRequest } from '../context/raw-request.ts';
import { refuseExpectations, refuseUnreadable } from './refuse-at-socket.ts';
import type { RouteResponse, PathParams, Route } from '../route/route.ts';
import { openStream } from './stream-response.ts';
import { untilSent } from './until-sent.ts';
import { boundBodies, isAborted, readDeadlines, type ReadDeadlines } from './unread-body.ts';
import { validateRequest, validationError } from '../validate/validate-request.ts';

declare module 'fastify' {
  interface FastifyRequest {
    key: AuthenticatedKey | null;
    trace: Trace;
  }
}

export interface ServerOptions {
  readonly context: ApiContext;
  readonly routes: readonly Route[];
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** False as soon as the process drains: then every request except health checks gets 503. */
  readonly isServing: () => boolean;
  /** Networks of proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies?: readonly string[];
  /** Called with every JSON response; tests compare responses with the OpenAPI document through it. */
  readonly onRouteResponse?: ((route: Route, response: RouteResponse) => void) | undefined;
  readonly deadlines?: ReadDeadlines | undefined;
}

const bodyBytesMax = 1024 * 1024;
/** For routes that read their body piece by piece: they have bounds of their own. */
const streamBytesMax = 512 * 1024 * 1024;
const streamTimeoutMs = 15 * 60_000;
/** Never sent: the status in logs and metrics of a request whose client disconnected before its body had arrived. */
const clientGone: RouteResponse = { status: 499 };
const requestIdPattern = /^[\w.-]{1,64}$/;

function rawRequest(request: FastifyRequest): RawRequest {
  return {
    method: request.method,
    headers: request.headers,
    query: request.query as RawRequest['query'],
    queryText: request.url.split('?').slice(1).join('?'),
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    ...(request.body instanceof Readable && { stream: request.body }),
  };
}

function send(reply: FastifyReply, response: RouteResponse): FastifyReply {
  void reply.code(response.status).headers({ ...response.headers });
  if (response.body === undefined) return reply.send();
  if (typeof response.body === 'string' && response.headers?.['content-type'] !== undefined) return reply.send(response.body);
  return reply.type(response.headers?.['content-type'] ?? 'application/json; charset=utf-8').send(JSON.stringify(response.body));
}

// What a team gets depends on the query and on its contract date as well.
const streamTag = ({ url, key }: FastifyRequest, state: string) => entityTag(url, key?.team.contractDate ?? '', state);

const contextOf = (options: ServerOptions, { key, trace }: FastifyRequest) => ({
  ...options.context,
  key,
  team: key?.team ?? null,
  logger: options.logger,
  traceId: trace.traceId,
});

async function handle(options: ServerOptions, route: Route, request: FastifyRequest): Promise<RouteResponse> {
  const input = validateRequest(route, request.params, rawRequest(request));
  const context = contextOf(options, request);
  const errors = route.refine?.(input, context) ?? [];
  if (errors.length > 0) throw validationError(errors);
  if (route.body !== undefined) rememberBody(request, input.body);
  if (route.method !== 'GET' || request.key === null) return route.handler(context, input);
  return options.context.readSlots.run(request.key.team.teamId, () => route.handler(context, input));
}

/** Counts the request for its key, and says in headers where the key stands. Throws AppError `rate_limit_exceeded` (429). */
async function limitRate({ keyRates }: ApiContext, key: AuthenticatedKey, reply: FastifyReply): Promise<void> {
  const rate = await keyRates.take(key);
  if (rate === null) return;
  void reply.headers(rate.headers);
  if (rate.waitMs > 0) throw tooManyRequests(rate.waitMs);
}

function mount(app: FastifyInstance, options: ServerOptions, route: Route): void {
  mountMethod(app, options, route, route.method);
  if (route.servesHead) mountMethod(app, options, route, 'HEAD');
}

function mountMethod(app: FastifyInstance, options: ServerOptions, route: Route, method: Route['method'] | 'HEAD'): void {
  const audit = auditRequests(options.context, route);
  const deprecated = route.deprecation === undefined ? {} : deprecationHeaders(route.deprecation);
  app.route({
    method,
    url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    schema: routeSchema(route, method),
    exposeHeadRoute: false,
    config: { ...(route.streamsBody && { streamsBody: true }), swagger: { exposeHeadRoute: true } },
    onRequest: async (request, reply) => {
      void reply.headers(deprecated);
      // Responses belong to one team and contain health data or tokens; a route whose response may be cached overrides this.
      void reply.header('cache-control', 'no-store');
      request.key = await authenticate(options.context, route.auth, { headers: request.headers, address: callerAddress(request.ip) });
      if (request.key) await limitRate(options.context, request.key, reply);
      if (request.key) options.context.unsent.admit(request.key.team.teamId);
      assertScope(route, request.key);
      if (request.key && route.deprecation !== undefined) {
        const { teamId } = request.key.team;
        options.metrics.count('deprecated_requests_total', { deprecation: route.deprecation, team: teamId });
      }
      if (request.key) options.context.keyUses.note(request.key.keyId);
      const refusal = await route.admit?.(contextOf(options, request), request.params as PathParams, request);
      if (refusal) return send(reply, refusal);
    },
    // With a key, failed requests are audited too.
    onResponse: async (request, reply) => audit.answered(request, reply.statusCode),
    onSend: async (request, reply, payload) => {
      if (!request.key || !(typeof payload === 'string' || Buffer.isBuffer(payload))) return;
      untilSent(reply.raw, options.context.unsent.hold(request.key.team.teamId, payload.length));
    },
    handler: async (request, reply) => {
      const response = await runWithTrace(request.trace, () => handle(options, route, request));
      if (response.chunks !== undefined) {
        const { onRouteResponse } = options;
        const onWhole = onRouteResponse && ((text: string) => onRouteResponse(route, { ...response, body: JSON.parse(text) }));
        const stream = await openStream(response.chunks, options.logger, onWhole);
        await audit.handled(request, response);
        if (response.state !== undefined) void reply.header('etag', streamTag(request, response.state));
        return reply
          .code(response.status)
          .headers({ ...response.headers })
          .type('application/json; charset=utf-8')
          .send(stream);
      }
      options.onRouteResponse?.(route, response);
      await audit.handled(request, response);
      return send(reply, response);
    },
  });
}

// The health endpoints are mounted with this level: they also respond during shutdown, and logging each probe is noise.
const isProbe = (request: FastifyRequest) => request.routeOptions.logLevel === 'silent';

// One log line per request. It contains ids and route patterns, never the path as sent, the query or the body.
function logRequest(options: ServerOptions, request: FastifyRequest, status: number, more: object, event: string): string {
  const { method, id, key, trace } = request;
  const route = request.routeOptions.url ?? 'unmatched';
  const fields = { method, route, status, ...more, requestId: id, teamId: key?.team.teamId, keyId: key?.keyId };
  runWithTrace(trace, () => options.logger.info(fields, event));
  options.metrics.count('http_requests_total', { method, route, status: String(status) });
  return route;
}

function logResponse(options: ServerOptions, request: FastifyRequest, reply: FastifyReply): void {
  const durationMs = Math.round(reply.elapsedTime * 10) / 10;
  const route = logRequest(options, request, reply.statusCode, { durationMs }, 'request.answered');
  options.metrics.observe('http_request_duration_seconds', reply.elapsedTime / 1000, { method: request.method, route });
  const { method, trace } = request;
  recordSpan({
    name: `${method} ${route}`,
    ...trace,
    parentSpanId: trace.spanId,
    kind: 'server',
    durationMs: reply.elapsedTime,
    isFailed: reply.statusCode >= 500,
    attributes: { 'http.request.method': method, 'http.route': route, 'http.response.status_code': reply.statusCode },
  });
}

function observeRequests(app: FastifyInstance, options: ServerOptions, allowed: AllowedMethods): void {
  app.decorateRequest('key', null);
  // Set by the first hook of every request.
  app.decorateRequest('trace', null as unknown as Trace);
  app.addHook('onRequest', async (request, reply) => {
    const parent = parseTraceparent(request.headers.traceparent as string | undefined);
    request.trace = newTrace(parent ?? currentTrace());
    void reply.header('x-request-id', request.id);
    if (!options.isServing() && !isProbe(request)) {
      await send(reply, {
        status: 503,
        headers: { 'retry-after': '5' },
        body: { detail: 'The service is shutting down; retry' },
      });
      return;
    }
    // Before the body is parsed: the framework's body errors for unknown methods would be misleading.
    const { method, url, routeOptions, headers, raw } = request;
    if (headers.host === undefined && raw.httpVersion === '1.1') {
      await send(reply.header('connection', 'close'), { status: 400, body: { detail: 'The Host header is missing' } });
      return;
    }
    if (request.is404 || allowed.isOfAnotherPath({ method, url, template: routeOptions.url })) await send(reply, allowed.unmatched(url));
  });
  app.addHook('onSend', async (_request, reply) => {
    // Otherwise a kept-alive connection would delay the close until its idle timeout.
    if (!options.isServing()) void reply.header('connection', 'close');
  });
  const answered = new WeakSet<FastifyRequest>();
  app.addHook('onResponse', async (request, reply) => {
    answered.add(request);
    if (!isProbe(request)) logResponse(options, request, reply);
  });
  // The client disconnected or was too slow.
  app.addHook('onRequestAbort', async (request) => {
    if (!isProbe(request) && !answered.has(request)) logRequest(options, request, clientGone.status, {}, 'request.aborted');
  });
}

/** The HTTP server with every route mounted. Handlers do not depend on it. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { deadlines = readDeadlines } = options;
  const app = fastify({
    logger: false,
    // Node's own response to a missing Host header has no body; see `observeRequests`.
    http: {
      requireHostHeader: false,
      headersTimeout: deadlines.headersMs,
      connectionsCheckingInterval: Math.min(5000, deadlines.headersMs),
    },
    bodyLimit: bodyBytesMax,
    requestTimeout: streamTimeoutMs,
    connectionTimeout: deadlines.silenceMs,
    keepAliveTimeout: 72_000,
    return503OnClosing: false,
    exposeHeadRoutes: false,
    trustProxy: options.trustedProxies && options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    // A client's request id is used only if it is safe to log.
    genReqId: (request) => {
      const given = request.headers['x-request-id'];
      return typeof given === 'string' && requestIdPattern.test(given) ? given : randomUUID();
    },
    // Errors of the router, before any hook: the framework's own response would echo the path.
    frameworkErrors: (error, request, reply) => {
      request.trace = newTrace(currentTrace());
      void reply.header('x-request-id', request.id);
      void send(reply, errorResponse(error));
      logResponse(options, request, reply);
    },
    clientErrorHandler: refuseUnreadable,
    routerOptions: { maxParamLength: 4096, ignoreTrailingSlash: true },
  });
  refuseExpectations(app.server);
  // Methods unknown to the framework would bypass every hook and end as 500.
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  const allowed = createAllowedMethods(app);
  // Our validation reports all failing fields at once, which the built-in one cannot; handlers render responses themselves.
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.setErrorHandler((error, request, reply) => {
    const response = isAborted(request) ? clientGone : errorResponse(error);
    if (response.status >= 500)
      options.logger.error(
        { requestId: request.id, route: request.routeOptions.url, error },
        isAppError(error) ? 'request.failed' : 'request.crashed',
      );
    return send(reply, response);
  });
  app.setNotFoundHandler((request, reply) => send(reply, allowed.unmatched(request.url)));
  boundBodies(app, deadlines);
  encodeResponses(app);
  observeRequests(app, options, allowed);
  await app.register(swagger, openApiOptions());
  await app.register(async (scope) => {
    for (const route of options.routes.filter(({ streamsBody }) => !streamsBody)) mount(scope, options, route);
  });
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { bodyLimit: streamBytesMax }, (_request, payload, done) => done(null, payload));
    for (const route of options.routes.filter(({ streamsBody }) => streamsBody)) mount(scope, options, route);
  });
  return app;
}
