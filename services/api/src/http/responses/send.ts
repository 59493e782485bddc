import type { FastifyReply } from 'fastify';
import type { RouteResponse } from '../../route/route.ts';

/** Never sent: the status in logs and metrics of a request whose client disconnected before its body had arrived. */
export const clientGone: RouteResponse = { status: 499 };

export function send(reply: FastifyReply, response: RouteResponse): FastifyReply {
  void reply.code(response.status).headers({ ...response.headers });
  if (response.body === undefined) return reply.send();
  const isWhole = typeof response.body === 'string' || Buffer.isBuffer(response.body);
  if (isWhole && response.headers?.['content-type'] !== undefined) return reply.send(response.body);
  return reply.type(response.headers?.['content-type'] ?? 'application/json; charset=utf-8').send(JSON.stringify(response.body));
}
