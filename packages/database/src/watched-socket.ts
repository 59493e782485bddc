import net from 'node:net';

/** The server ends our statements before this; those without a limit use `openUnwatchedSocket`. */
const answerMaxMs = 120_000;
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

/** Opens a connection on which a statement may take any time; a host that vanished is noticed by the keep-alives of the kernel. */
export function openUnwatchedSocket(address: SocketAddress): net.Socket {
  return connect(address).setKeepAlive(true, keepAliveMs);
}

/**
 * Opens the connection to Postgres, and gives up on it when a statement stays without any sign for too long: a host that
 * vanished sends no reset, and without this every process would wait until the kernel loses patience. An idle connection,
 * or one that listens, has nothing outstanding and is left alone.
 */
export function openWatchedSocket(address: SocketAddress, maxMs = answerMaxMs): net.Socket {
  const socket = connect(address);
  let waiting: NodeJS.Timeout | undefined;
  const heard = () => {
    clearTimeout(waiting);
    waiting = undefined;
  };
  const write: (...args: Parameters<net.Socket['write']>) => boolean = socket.write.bind(socket);
  socket.write = ((...args: Parameters<net.Socket['write']>) => {
    waiting ??= setTimeout(() => socket.destroy(new Error('Postgres has not answered')), maxMs).unref();
    return write(...args);
  }) as net.Socket['write'];
  socket.on('data', heard);
  socket.once('close', heard);
  return socket;
}
