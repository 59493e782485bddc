import { randomUUID } from 'node:crypto';
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import type { Logger, Metrics } from '@pulsewire/kernel';

export interface ServerOptions {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** False from the first moment of the drain. */
  readonly isServing: () => boolean;
  /** How long a client may take for its body; default 30 s. */
  readonly bodyMs?: number;
}

const requestTimeoutMs = 30_000;
/** A connection on which nothing moves. */
const silenceMs = 120_000;
const nothingHere = { 'content-type': 'text/plain; charset=utf-8', 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' };

/** A server that carries the link page alone. One line a request, by its pattern: addresses hold tokens. */
export function createServer({ logger, metrics, isServing, bodyMs = requestTimeoutMs }: ServerOptions): FastifyInstance {
  const app = fastify({
    logger: false,
    requestTimeout: requestTimeoutMs,
    connectionTimeout: silenceMs,
    keepAliveTimeout: 72_000,
    return503OnClosing: false,
    genReqId: () => randomUUID(),
    frameworkErrors: (_error, _request, reply: FastifyReply) => {
      void reply.code(400).headers(nothingHere).send('Bad request');
    },
    routerOptions: { ignoreTrailingSlash: true },
  });
  app.setNotFoundHandler((_request, reply) => reply.code(404).headers(nothingHere).send('Not found'));
  app.addHook('onRequest', async (_request, reply) => {
    if (isServing()) return;
    return reply
      .code(503)
      .headers({ ...nothingHere, 'retry-after': '5', connection: 'close' })
      .send('Going down; try again');
  });
  // Node looks no more once the answer has gone out: a body that nobody reads could go on for ever.
  app.addHook('onRequest', (request, _reply, done) => {
    const { raw } = request;
    const timer = setTimeout(() => !raw.complete && raw.destroy(), bodyMs).unref();
    raw.once('close', () => clearTimeout(timer));
    done();
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unmatched';
    const { method } = request;
    logger.info({ method, route, status: reply.statusCode, duration_ms: Math.round(reply.elapsedTime) }, 'request.answered');
    metrics.count('http_requests_total', { method, route, status: String(reply.statusCode) });
    metrics.observe('http_request_duration_seconds', reply.elapsedTime / 1000, { method, route });
  });
  return app;
}
