import net from 'node:net';
import { sleep } from '@pulsewire/kernel';

/** The server ends our statements before this; those without a limit have no watch. */
const responseMaxMs = 120_000;
const keepAliveMs = 30_000;
/** A connection that ends sooner was refused, or belongs to a server that cannot be written. */
const acceptedAfterMs = 1000;
const delayMaxMs = 1000;
/** A single host may close this many connections at once, one after another, before we wait: one that restarts does so a few times. */
const closedAtOnceMax = 3;

interface SocketAddress {
  readonly host: readonly string[];
  readonly port: readonly number[];
  readonly path: string | undefined;
}

export interface SocketOptions {
  /** Closes the connection when a statement gets no response for too long. */
  readonly isWatched: boolean;
  readonly responseMaxMs?: number;
}

/**
 * Opens the connections of a pool. Of several hosts it starts with the one that accepted the last connection, and goes to the next one when a
 * connection ends at once; when every host has failed, it waits longer each time. So it does for a single host that accepts connections and
 * closes them at once, as a proxy does whose server is away: the pool opens another one without a pause.
 */
export function createSocketOpener(options: SocketOptions): (address: SocketAddress) => Promise<net.Socket> {
  let current = 0;
  let failures = 0;
  return async ({ host, port, path }) => {
    const isOneOfSeveral = host.length > 1;
    const rounds = isOneOfSeveral ? Math.floor(failures / host.length) : failures - closedAtOnceMax;
    if (rounds > 0) await sleep(Math.min(delayMaxMs, 20 * 2 ** rounds));
    const place = current;
    const socket = path ? net.connect(path) : net.connect(port[place] ?? 5432, host[place] ?? '127.0.0.1');
    const openedAt = performance.now();
    // Without this every COPY stalls for some 40-90 ms: Nagle's algorithm waits for a delayed acknowledgement.
    socket.setNoDelay(true);
    let isAccepted = false;
    socket.once('connect', () => (isAccepted = true));
    socket.once('close', () => {
      if (performance.now() - openedAt > acceptedAfterMs) failures = 0;
      else if (isOneOfSeveral || isAccepted) {
        failures += 1;
        if (current === place) current = (place + 1) % Math.max(1, host.length);
      }
    });
    return options.isWatched ? watch(socket, options.responseMaxMs ?? responseMaxMs) : socket.setKeepAlive(true, keepAliveMs);
  };
}

/**
 * Closes the connection when a statement gets no response for too long: a host that vanished sends no reset, and without this every process
 * would wait for the kernel's timeout. An idle or listening connection has no outstanding statement and is not closed.
 */
function watch(socket: net.Socket, maxMs: number): net.Socket {
  let waiting: NodeJS.Timeout | undefined;
  const onResponse = () => {
    clearTimeout(waiting);
    waiting = undefined;
  };
  const write: (...args: Parameters<net.Socket['write']>) => boolean = socket.write.bind(socket);
  socket.write = ((...args: Parameters<net.Socket['write']>) => {
    waiting ??= setTimeout(() => socket.destroy(new Error('Postgres did not respond')), maxMs).unref();
    return write(...args);
  }) as net.Socket['write'];
  socket.on('data', onResponse);
  socket.once('close', onResponse);
  return socket;
}
