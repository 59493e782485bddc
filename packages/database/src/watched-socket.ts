import net from 'node:net';

/** A statement of ours ends well within this; migrations of a large table set their own pace and are run by operators. */
const answerMaxMs = 120_000;

/**
 * Opens the connection to Postgres, and gives up on it when a statement stays without any sign for too long: a host that
 * vanished sends no reset, and without this every process would wait until the kernel loses patience. An idle connection,
 * or one that listens, has nothing outstanding and is left alone.
 */
export function openWatchedSocket(options: { host: string[]; port: number[]; path: string | undefined }, maxMs = answerMaxMs): net.Socket {
  const socket = options.path ? net.connect(options.path) : net.connect(options.port[0] ?? 5432, options.host[0] ?? '127.0.0.1');
  // Without this every COPY stalls for some 40-90 ms: Nagle's algorithm waits for a delayed acknowledgement.
  socket.setNoDelay(true);
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
