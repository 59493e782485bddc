import net, { type Socket } from 'node:net';
import { listen } from '../net/listen.ts';
import { createRequestCounter } from './request-counter.ts';

export interface SinkOptions {
  readonly port?: number;
  readonly host?: string;
  /** Keep the arrival of each `webhook-id`, up to this many. Default 0: none. */
  readonly recordedArrivalsMax?: number;
}

export interface Sink {
  readonly url: string;
  count(): number;
  /** Epoch milliseconds with fractions at which each id arrived first. */
  arrivals(): ReadonlyMap<string, number>;
  /** Forgets count and arrivals. */
  reset(): void;
  close(): Promise<void>;
}

const okResponse = Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
const lengthNeeded = Buffer.from('HTTP/1.1 411 Length Required\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');

/**
 * The fastest receiver that still reads every request: for benchmarks, in which the receiver must not be the bottleneck. It
 * supports just enough HTTP: any request with a `content-length` (or without a body) gets 200, once its body is there. No
 * signature is checked.
 */
export async function createSink(options: SinkOptions = {}): Promise<Sink> {
  const arrivalsMax = options.recordedArrivalsMax ?? 0;
  const arrivals = new Map<string, number>();
  const sockets = new Set<Socket>();
  let requests = 0;

  const server = net.createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    const counter = createRequestCounter({
      onHead(webhookId) {
        if (webhookId !== undefined && arrivals.size < arrivalsMax && !arrivals.has(webhookId))
          arrivals.set(webhookId, performance.timeOrigin + performance.now());
      },
      readsWebhookId: arrivalsMax > 0,
    });
    socket.on('data', (chunk) => {
      const taken = counter.push(chunk);
      requests += taken.completed;
      // Responses to pipelined requests are sent in one write.
      if (taken.completed === 1) socket.write(okResponse);
      else if (taken.completed > 1) socket.write(Buffer.concat(new Array<Buffer>(taken.completed).fill(okResponse)));
      if (taken.isUnreadable) socket.end(lengthNeeded);
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  });
  const url = await listen(server, options.port ?? 0, options.host ?? '127.0.0.1');

  return {
    url,
    count: () => requests,
    arrivals: () => arrivals,
    reset() {
      requests = 0;
      arrivals.clear();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
