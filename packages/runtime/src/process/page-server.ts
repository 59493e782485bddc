import { randomUUID } from 'node:crypto';
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import type { Logger, Metrics } from '@pulsewire/kernel';
import { boundPipelining } from './bound-pipelining.ts';

export interface PageServerOptions {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** False as soon as the drain starts. */
  readonly isServing: () => boolean;
  /** Networks of proxies whose X-Forwarded-For header is believed; default none. */
  readonly trustedProxies?: readonly string[];
  /** How long a client may take for its body; default 30 s. */
  readonly bodyMs?: number;
}

const requestTimeoutMs = 30_000;
/** Idle connections are closed after this. */
const idleMs = 120_000;
const plainHeaders = { 'content-type': 'text/plain; charset=utf-8', 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' };

/** A server for pages that people open. Logs one line per request with the route's pattern, because URLs contain tokens. */
export function createPageServer(options: PageServerOptions): FastifyInstance {
  const { logger, metrics, isServing, trustedProxies = [], bodyMs = requestTimeoutMs } = options;
  const app = fastify({
    logger: false,
    requestTimeout: requestTimeoutMs,
    connectionTimeout: idleMs,
    keepAliveTimeout: 72_000,
    return503OnClosing: false,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    genReqId: () => randomUUID(),
    frameworkErrors: (_error, _request, reply: FastifyReply) => {
      void reply.code(400).headers(plainHeaders).send('Bad request');
    },
    routerOptions: { ignoreTrailingSlash: true },
  });
  boundPipelining(app.server);
  app.setNotFoundHandler((_request, reply) => reply.code(404).headers(plainHeaders).send('Not found'));
  app.addHook('onRequest', async (_request, reply) => {
    if (isServing()) return;
    return reply
      .code(503)
      .headers({ ...plainHeaders, 'retry-after': '5', connection: 'close' })
      .send('Shutting down; try again');
  });
  // After the response, Node no longer limits the time for the body, so an unread body could continue forever.
  app.addHook('onRequest', (request, _reply, done) => {
    const { raw } = request;
    const timer = setTimeout(() => !raw.complete && raw.destroy(), bodyMs).unref();
    raw.once('close', () => clearTimeout(timer));
    done();
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unmatched';
    const { method } = request;
    logger.info({ method, route, status: reply.statusCode, durationMs: Math.round(reply.elapsedTime) }, 'request.completed');
    metrics.count('http_requests_total', { method, route, status: String(reply.statusCode) });
    metrics.observe('http_request_duration_seconds', reply.elapsedTime / 1000, { method, route });
  });
  return app;
}
