import net from 'node:net';

/** A proxy in front of Postgres that can lose responses to COMMIT. */
export interface CommitCutter {
  /** The database's URL through the proxy. */
  readonly url: string;
  /** COMMITs that Postgres has executed, including those whose response was lost. */
  readonly commits: number;
  /** COMMITs whose response was lost. */
  readonly lost: number;
  /** Whether to lose the response to the COMMIT with this number, counted from 1. By default none is lost. */
  loses: (number: number) => boolean;
  close(): Promise<void>;
}

const headLength = 5;
const commandComplete = 'C'.charCodeAt(0);

/**
 * Starts a TCP proxy in front of Postgres, without TLS. When a response shows that a COMMIT was executed and `loses` selects it, the
 * response is dropped and both connections are cut: the transaction is committed, and the client cannot know.
 */
export async function startCommitCutter(url: string): Promise<CommitCutter> {
  const target = new URL(url);
  const sockets = new Set<net.Socket>();
  const cutter = { url: '', commits: 0, lost: 0, loses: (_number: number): boolean => false };
  const track = (socket: net.Socket) => {
    sockets.add(socket);
    // Both ends are cut on purpose, so their errors mean nothing.
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    return socket;
  };
  const server = net.createServer((client) => {
    track(client);
    const postgres = track(net.connect(Number(target.port), target.hostname));
    client.setNoDelay(true);
    postgres.setNoDelay(true);
    client.on('data', (chunk) => postgres.write(chunk));
    client.once('close', () => postgres.destroy());
    postgres.once('close', () => client.destroy());
    let unread: Buffer = Buffer.alloc(0);
    postgres.on('data', (chunk: Buffer) => {
      unread = unread.length === 0 ? chunk : Buffer.concat([unread, chunk]);
      let end = 0;
      // Each message is a type byte and a length that includes itself but not the type.
      while (unread.length - end >= headLength) {
        const length = 1 + unread.readUInt32BE(end + 1);
        if (unread.length - end < length) break;
        if (unread[end] === commandComplete && unread.toString('latin1', end + headLength, end + length - 1) === 'COMMIT') {
          cutter.commits += 1;
          if (cutter.loses(cutter.commits)) {
            cutter.lost += 1;
            client.destroy();
            postgres.destroy();
            return;
          }
        }
        end += length;
      }
      client.write(unread.subarray(0, end));
      unread = unread.subarray(end);
    });
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const proxied = new URL(url);
  proxied.host = `127.0.0.1:${(server.address() as net.AddressInfo).port}`;
  cutter.url = proxied.toString();
  return Object.assign(cutter, {
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
