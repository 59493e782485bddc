import { randomUUID } from 'node:crypto';
import { METHODS } from 'node:http';
import swagger from '@fastify/swagger';
import { isAppError } from '@pulsewire/kernel';
import { boundPipelining, currentTrace, newTrace } from '@pulsewire/runtime';
import fastify, { type FastifyInstance } from 'fastify';
import { openApiOptions } from '../docs/openapi-options.ts';
import { mountRoute } from './mount-route.ts';
import { logResponse, observeRequests } from './observe-requests.ts';
import { createAllowedMethods } from './requests/allowed-methods.ts';
import { boundConnectionAge } from './requests/connection-age.ts';
import { refusedKeyOf } from './requests/authenticate.ts';
import { refuseUnreadable } from './requests/refuse-at-socket.ts';
import { boundBodies, isAborted, readDeadlines } from './requests/unread-body.ts';
import { encodeResponses } from './responses/encode-responses.ts';
import { errorResponse } from './responses/error-response.ts';
import { clientGone, send } from './responses/send.ts';
import { bodyBytesMax, type ServerOptions } from './server-options.ts';

/** For routes that stream their body and have bounds of their own. */
const streamBytesMax = 512 * 1024 * 1024;
const streamTimeoutMs = 15 * 60_000;
const requestIdPattern = /^[\w.-]{1,64}$/;

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
      const cause = currentTrace();
      request.trace = newTrace(cause);
      request.parentSpanId = cause?.spanId;
      void reply.header('x-request-id', request.id);
      void send(reply, errorResponse(error));
      logResponse(options, request, reply);
    },
    clientErrorHandler: refuseUnreadable,
    routerOptions: { maxParamLength: 4096, ignoreTrailingSlash: true },
  });
  boundPipelining(app.server, options.pipelinedMax);
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
    request.refusedKey = refusedKeyOf(error);
    const { id: requestId, routeOptions } = request;
    // One client can be told to come back later many times a second, so that is no error and needs no stack.
    if (response.status === 503 && isAppError(error))
      options.logger.info({ requestId, route: routeOptions.url, errorCode: error.code }, 'request.deferred');
    else if (response.status >= 500)
      options.logger.error({ requestId, route: routeOptions.url, error }, isAppError(error) ? 'request.failed' : 'request.crashed');
    return send(reply, response);
  });
  app.setNotFoundHandler((request, reply) => send(reply, allowed.unmatched(request.url)));
  if (options.connectionMaxMs !== undefined) boundConnectionAge(app, options.connectionMaxMs);
  boundBodies(app, deadlines);
  encodeResponses(app);
  observeRequests(app, options, allowed);
  await app.register(swagger, openApiOptions());
  await app.register(async (scope) => {
    for (const route of options.routes.filter(({ streamsBody }) => !streamsBody)) mountRoute(scope, options, route);
  });
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { bodyLimit: streamBytesMax }, (_request, payload, done) => done(null, payload));
    for (const route of options.routes.filter(({ streamsBody }) => streamsBody)) mountRoute(scope, options, route);
  });
  return app;
}
