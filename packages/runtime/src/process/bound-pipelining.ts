import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that may await their responses. */
export const pipelinedMax = 32;
/** Requests that are ignored on a connection until its last responses are sent; with more, it is cut. */
const ignoredMax = 5000;

interface Progress {
  waiting: number;
  ignored: number;
  isClosing: boolean;
}

/**
 * Bounds how many requests a client sends ahead on one connection. Node starts every request of a received chunk at once, before other
 * connections have their turn, so that one connection could occupy the process. Beyond the bound, the connection ends after the responses
 * to the requests before it (`connection: close`); HTTP clients send the others again.
 */
export function boundPipelining(server: Server): void {
  const listeners = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  const bySocket = new WeakMap<Socket, Progress>();
  const progressOf = (socket: Socket): Progress => {
    const known = bySocket.get(socket);
    if (known) return known;
    const created = { waiting: 0, ignored: 0, isClosing: false };
    bySocket.set(socket, created);
    return created;
  };
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const progress = progressOf(socket);
    if (progress.isClosing) {
      if (++progress.ignored > ignoredMax) socket.destroy();
      return;
    }
    progress.waiting += 1;
    response.once('close', () => (progress.waiting -= 1));
    if (progress.waiting >= pipelinedMax) {
      progress.isClosing = true;
      response.shouldKeepAlive = false;
    }
    for (const listener of listeners) listener.call(server, request, response);
  });
}
