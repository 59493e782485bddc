import { Readable } from 'node:stream';
import { assertNotDeleted } from '@pulsewire/connections';
import { deprecations } from '@pulsewire/contract';
import { authenticatePhone } from '@pulsewire/intake';
import { runWithTrace } from '@pulsewire/runtime';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RawRequest } from '../context/raw-request.ts';
import { routeSchema } from '../docs/route-schema.ts';
import { admitKey, asPhoneRefusal } from './requests/admit-key.ts';
import { auditRequests, rememberInput, type RequestAudit } from './requests/audit-requests.ts';
import { authenticateApp } from './requests/authenticate-app.ts';
import { authenticate, phoneTokenOf } from './requests/authenticate.ts';
import { callerAddress } from './requests/caller-address.ts';
import { runInTurn } from './requests/turn-of.ts';
import { entityTag } from './responses/entity-tag.ts';
import { clientGone, send } from './responses/send.ts';
import { openStream } from './responses/stream-response.ts';
import { untilSent } from '@pulsewire/runtime';
import { bodyBytesMax, type ServerOptions } from './server-options.ts';
import type { PathParams, Route, RouteResponse } from '../route/route.ts';
import { validateRequest, validationError } from '../validate/validate-request.ts';

const unixSeconds = (day: string) => Date.parse(day) / 1000;

/** Headers of a deprecated operation (RFC 9745), with the day of its removal (RFC 8594). */
function deprecationHeaders(id: string): Readonly<Record<string, string>> {
  const found = deprecations.find((one) => one.id === id);
  if (found === undefined) throw new Error(`No deprecation has the id ${id}`);
  const { announcedOn, removedOn } = found;
  const since = announcedOn ?? removedOn;
  return {
    ...(since !== null && { deprecation: `@${unixSeconds(since)}` }),
    ...(removedOn !== null && { sunset: new Date(removedOn).toUTCString() }),
    link: '</v2/team/deprecations>; rel="deprecation"; type="application/json"',
  };
}

/** Memory of a streamed response: the chunk being written, one prefetched, and data waiting for the socket. */
const streamBytes = 1024 * 1024;

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

// The response also depends on the query and on the team's contract date.
const streamTag = ({ url, key }: FastifyRequest, state: string) => entityTag(url, key?.team.contractDate ?? '', state);

const contextOf = (options: ServerOptions, { key, phone: sender, trace }: FastifyRequest) => ({
  ...options.context,
  key,
  sender,
  team: key?.team ?? null,
  logger: options.logger,
  traceId: trace.traceId,
});

async function handle(options: ServerOptions, route: Route, request: FastifyRequest, reply: FastifyReply): Promise<RouteResponse> {
  const input = validateRequest(route, request.params, rawRequest(request));
  if (route.auth === 'app') await authenticateApp(options.context, route, { request, reply, body: input.body });
  const context = contextOf(options, request);
  const errors = route.refine?.(input, context) ?? [];
  if (errors.length > 0) throw validationError(errors);
  rememberInput(request, input);
  return runInTurn(options.context, route, request, input, async () => {
    const response = await route.handler(context, input);
    if (route.method !== 'GET' || request.key === null) return response;
    const userId = response.concerns?.userId ?? null;
    // Also for reads by another id: an order, a job or a workout of a deleted user does not exist for the team.
    if (userId !== null) await assertNotDeleted(options.context.database, request.key.team.teamId, userId);
    return response;
  });
}

/** Authenticates a request by its headers, within the limits of its key. */
async function authenticateRequest({ context, metrics }: ServerOptions, route: Route, request: FastifyRequest, reply: FastifyReply) {
  const { headers } = request;
  request.key = await authenticate(context, route.auth, { headers, address: callerAddress(request.ip) });
  if (!request.key) {
    // Before the body of anybody is read.
    if (route.auth === 'phone') request.phone = await authenticatePhone(context.phone.tokens, phoneTokenOf(headers));
    return;
  }
  await admitKey(context, route, request.key, reply);
  if (route.deprecation !== undefined)
    metrics.count('deprecated_requests_total', { deprecation: route.deprecation, team: request.key.team.teamId });
}

/** Smaller bodies are not counted: their number is bounded by the rates of keys. */
const smallBytes = 16 * 1024;

/** Counts the body that a request with a key announces, until its response is sent. Throws AppError `push_capacity_exceeded`. */
function holdBody({ context }: ServerOptions, route: Route, request: FastifyRequest, reply: FastifyReply): void {
  if (!request.key || route.streamsBody || route.body === undefined) return;
  const announced = Number(request.headers['content-length'] ?? (request.headers['transfer-encoding'] ? bodyBytesMax : 0));
  if (!(announced > smallBytes)) return;
  const hold = context.bodyBytes.open(request.key.team.teamId);
  hold.add(Math.min(announced, route.bodyBytesMax ?? bodyBytesMax));
  untilSent(reply.raw, () => hold.release());
}

/** Mounts a route with authentication, limits, audit, validation and rendering of its response. */
export function mountRoute(app: FastifyInstance, options: ServerOptions, route: Route): void {
  mountMethod(app, options, route, route.method);
  if (route.servesHead) mountMethod(app, options, route, 'HEAD');
}

/** The response of the handler, with its audit entry as far as it must come first. */
async function respond(
  options: ServerOptions,
  route: Route,
  audit: RequestAudit,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const response = await runWithTrace(request.trace, () => handle(options, route, request, reply));
  if (response.chunks === undefined) {
    options.onRouteResponse?.(route, response);
    await audit.handled(request, response);
    return send(reply, response);
  }
  const { onRouteResponse } = options;
  // Before its first chunk is read: clients that never read could otherwise fill the memory with open streams.
  if (request.key) untilSent(reply.raw, options.context.unsent.hold(request.key.team.teamId, streamBytes));
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

function mountMethod(app: FastifyInstance, options: ServerOptions, route: Route, method: Route['method'] | 'HEAD'): void {
  const audit = auditRequests(options.context, route);
  const deprecated = route.deprecation === undefined ? {} : deprecationHeaders(route.deprecation);
  app.route({
    method,
    url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    schema: routeSchema(route, method),
    exposeHeadRoute: false,
    ...(route.bodyBytesMax !== undefined && { bodyLimit: route.bodyBytesMax }),
    config: { ...(route.streamsBody && { streamsBody: true }), swagger: { exposeHeadRoute: true } },
    onRequest: async (request, reply) => {
      // With a key, failed requests are audited too, and those whose client does not wait for the response.
      untilSent(reply.raw, () => {
        const status = reply.raw.headersSent ? reply.statusCode : clientGone.status;
        audit.ended(request, status).catch((error: unknown) => options.logger.error({ error }, 'audit.entry_lost'));
      });
      void reply.headers(deprecated);
      // Responses belong to one team and contain health data or tokens; a route whose response may be cached overrides this.
      void reply.header('cache-control', 'no-store');
      await authenticateRequest(options, route, request, reply).catch((error: unknown) => {
        throw route.auth === 'phone' ? asPhoneRefusal(error) : error;
      });
      await audit.authenticated(request);
      holdBody(options, route, request, reply);
      const refusal = await route.admit?.(contextOf(options, request), request.params as PathParams, request);
      if (refusal) return send(reply, refusal);
    },
    onSend: async (request, reply, payload) => {
      if (!request.key || !(typeof payload === 'string' || Buffer.isBuffer(payload))) return;
      untilSent(reply.raw, options.context.unsent.hold(request.key.team.teamId, payload.length));
    },
    handler: (request, reply) => audit.run(request, () => respond(options, route, audit, request, reply)),
  });
}
