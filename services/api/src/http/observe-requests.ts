import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { recordSpan } from '@pulsewire/kernel';
import { currentTrace, newTrace, parseTraceparent, runWithTrace, type Trace } from '@pulsewire/runtime';
import type { AllowedMethods } from './requests/allowed-methods.ts';
import { clientGone, send } from './responses/send.ts';
import type { ServerOptions } from './server-options.ts';

// The health endpoints are mounted with this level: they also respond during shutdown, and logging each probe is noise.
const isProbe = (request: FastifyRequest) => request.routeOptions.logLevel === 'silent';

// One log line per request. It contains ids and route patterns, never the path as sent, the query or the body.
function logRequest(options: ServerOptions, request: FastifyRequest, status: number, more: object, event: string): string {
  const { method, id, key, trace, refusedKey } = request;
  const route = request.routeOptions.url ?? 'unmatched';
  // Requests that the router refuses have neither.
  const who = key ? { teamId: key.team.teamId, keyId: key.keyId } : refusedKey;
  const fields = { method, route, status, ...more, requestId: id, ...who, address: request.ip };
  runWithTrace(trace, () => options.logger.info(fields, event));
  options.metrics.count('http_requests_total', { method, route, status: String(status) });
  return route;
}

/** Logs, counts and traces a request whose response was sent. */
export function logResponse(options: ServerOptions, request: FastifyRequest, reply: FastifyReply): void {
  const durationMs = Math.round(reply.elapsedTime * 10) / 10;
  const route = logRequest(options, request, reply.statusCode, { durationMs }, 'request.completed');
  options.metrics.observe('http_request_duration_seconds', reply.elapsedTime / 1000, { method: request.method, route });
  const { method, trace, parentSpanId } = request;
  recordSpan({
    name: `${method} ${route}`,
    ...trace,
    ...(parentSpanId === undefined ? { isRoot: true } : { parentSpanId }),
    kind: 'server',
    durationMs: reply.elapsedTime,
    isFailed: reply.statusCode >= 500,
    attributes: { 'http.request.method': method, 'http.route': route, 'http.response.status_code': reply.statusCode },
  });
}

/** Hooks of every request: its trace, refusals before the body is parsed, and what is logged at its end. */
export function observeRequests(app: FastifyInstance, options: ServerOptions, allowed: AllowedMethods): void {
  app.decorateRequest('key', null);
  app.decorateRequest('phone', null);
  app.decorateRequest('refusedKey', null);
  // Set by the first hook of every request.
  app.decorateRequest('trace', null as unknown as Trace);
  app.decorateRequest('parentSpanId', undefined);
  app.addHook('onRequest', async (request, reply) => {
    const parent = parseTraceparent(request.headers.traceparent as string | undefined);
    const cause = parent ?? currentTrace();
    request.trace = newTrace(cause);
    request.parentSpanId = cause?.spanId;
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
    if (raw.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length > 1) {
      await send(reply.header('connection', 'close'), { status: 400, body: { detail: 'The request has more than one Host header' } });
      return;
    }
    if (request.is404 || allowed.isOfAnotherPath({ method, url, template: routeOptions.url })) await send(reply, allowed.unmatched(url));
  });
  app.addHook('onSend', async (_request, reply) => {
    // Otherwise a kept-alive connection would delay the close until its idle timeout.
    if (!options.isServing()) void reply.header('connection', 'close');
  });
  const completed = new WeakSet<FastifyRequest>();
  app.addHook('onResponse', async (request, reply) => {
    completed.add(request);
    if (!isProbe(request)) logResponse(options, request, reply);
  });
  // The client disconnected or was too slow.
  app.addHook('onRequestAbort', async (request) => {
    if (!isProbe(request) && !completed.has(request)) logRequest(options, request, clientGone.status, {}, 'request.aborted');
  });
}
