import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const unsentOf = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls `release` once, when the response has been sent or its connection is gone. Node emits no `close` for a response queued behind
 * another one.
 */
export function untilSent(response: ServerResponse, release: () => void): void {
  const { socket } = response.req;
  let unsent = unsentOf.get(socket);
  if (unsent === undefined) {
    const all = (unsent = new Set());
    unsentOf.set(socket, all);
    socket.once('close', () => all.forEach((one) => one()));
  }
  const own = unsent;
  const once = () => {
    if (own.delete(once)) release();
  };
  own.add(once);
  response.once('finish', once).once('close', once);
  if (socket.destroyed) once();
}
