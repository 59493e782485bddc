import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that may await their responses. Common clients, browsers and proxies send one at a time. */
export const pipelinedMax = 4;
/** Requests that are ignored on a connection until its last responses are sent; with more, it is cut. */
const ignoredMax = 200;
/** Events that Node emits for a request: without a listener for an expectation, it would respond itself, uncounted. */
const requestEvents = ['request', 'checkContinue', 'checkExpectation'] as const;

interface Progress {
  waiting: number;
  ignored: number;
  isClosing: boolean;
}

function refuseExpectation(request: IncomingMessage, response: ServerResponse): void {
  const body = JSON.stringify({ detail: 'Unsupported Expect header' });
  request.resume();
  response
    .writeHead(417, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length, connection: 'close' })
    .end(body);
}

/** Ends the parsing of what was received of a connection: destroying it would let Node parse the rest first. */
function stopParsing(socket: Socket): void {
  const { parser } = socket as { readonly parser?: { pause?: () => void } };
  parser?.pause?.();
  socket.destroy();
}

/**
 * Bounds how many requests a client sends ahead on one connection. Node starts every request of a received chunk at once, before other
 * connections have their turn, so that one connection could occupy the process. Beyond the bound, the connection ends after the responses
 * to the requests before it (`connection: close`); HTTP clients send the others again. Expectations other than 100-continue get 417.
 */
export function boundPipelining(server: Server, waitingMax = pipelinedMax): void {
  const bySocket = new WeakMap<Socket, Progress>();
  const progressOf = (socket: Socket): Progress => {
    const known = bySocket.get(socket);
    if (known) return known;
    const created = { waiting: 0, ignored: 0, isClosing: false };
    bySocket.set(socket, created);
    return created;
  };
  for (const event of requestEvents) {
    const listeners = server.listeners(event) as RequestListener[];
    if (event === 'checkContinue' && listeners.length === 0) continue;
    if (event === 'checkExpectation' && listeners.length === 0) listeners.push(refuseExpectation);
    server.removeAllListeners(event);
    server.on(event, (request: IncomingMessage, response: ServerResponse) => {
      const { socket } = request;
      const progress = progressOf(socket);
      if (progress.isClosing) {
        if (++progress.ignored > ignoredMax) stopParsing(socket);
        return;
      }
      progress.waiting += 1;
      response.once('close', () => (progress.waiting -= 1));
      if (progress.waiting >= waitingMax) {
        progress.isClosing = true;
        response.shouldKeepAlive = false;
      }
      for (const listener of listeners) listener.call(server, request, response);
    });
  }
}
