import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Ends connections after the next response once they have reached an age: they are distributed among worker processes when they are opened,
 * so clients that keep theirs would leave a worker that was started later without work. Each has an age of its own, up to a quarter more,
 * so that those of one client do not end together.
 */
export function boundConnectionAge(app: FastifyInstance, ageMaxMs: number): void {
  const endsAtMs = new WeakMap<Socket, number>();
  app.addHook('onRequest', async ({ raw: { socket } }, reply) => {
    const nowMs = performance.now();
    const endAtMs = endsAtMs.get(socket);
    if (endAtMs === undefined) endsAtMs.set(socket, nowMs + ageMaxMs * (1 + Math.random() / 4));
    else if (nowMs >= endAtMs) void reply.header('connection', 'close');
  });
}
