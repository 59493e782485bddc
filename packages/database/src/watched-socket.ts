import net from 'node:net';

/** The server ends our statements before this; those without a limit use `openUnwatchedSocket`. */
const responseMaxMs = 120_000;
const keepAliveMs = 30_000;

interface SocketAddress {
  readonly host: string[];
  readonly port: number[];
  readonly path: string | undefined;
}

function connect({ path, port, host }: SocketAddress): net.Socket {
  const socket = path ? net.connect(path) : net.connect(port[0] ?? 5432, host[0] ?? '127.0.0.1');
  // Without this every COPY stalls for some 40-90 ms: Nagle's algorithm waits for a delayed acknowledgement.
  socket.setNoDelay(true);
  return socket;
}

/** Opens a connection without a limit on statements; the kernel's keep-alives detect a host that vanished. */
export function openUnwatchedSocket(address: SocketAddress): net.Socket {
  return connect(address).setKeepAlive(true, keepAliveMs);
}

/**
 * Opens the connection to Postgres, and closes it when a statement gets no response for too long: a host that vanished sends no reset, and
 * without this every process would wait for the kernel's timeout. An idle or listening connection has no outstanding statement and is not
 * closed.
 */
export function openWatchedSocket(address: SocketAddress, maxMs = responseMaxMs): net.Socket {
  const socket = connect(address);
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
