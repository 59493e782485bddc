import net from 'node:net';

/** A way to Postgres on which responses to COMMIT can be lost. */
export interface CommitCutter {
  /** The database's URL by this way. */
  readonly url: string;
  /** COMMITs that Postgres has carried out, counted from 1; lost ones included. */
  readonly commits: number;
  /** COMMITs whose response was lost. */
  readonly lost: number;
  /** Whether the response to the COMMIT of this number is lost. By default none is. */
  loses: (number: number) => boolean;
  close(): Promise<void>;
}

const headLength = 5;
const commandComplete = 'C'.charCodeAt(0);

/**
 * A TCP proxy in front of Postgres, without TLS. It watches the responses: when one says that a COMMIT was carried out and `loses` wants
 * it, neither that response nor anything after it is passed on, and both connections are cut. The transaction is committed, and the
 * client cannot know.
 */
export async function startCommitCutter(url: string): Promise<CommitCutter> {
  const target = new URL(url);
  const sockets = new Set<net.Socket>();
  const cutter = { url: '', commits: 0, lost: 0, loses: (_number: number): boolean => false };
  const track = (socket: net.Socket) => {
    sockets.add(socket);
    // Both ends are cut on purpose; the error is the other end's matter.
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
      // Whole messages: a type, and a length that counts itself but not the type.
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
  const way = new URL(url);
  way.host = `127.0.0.1:${(server.address() as net.AddressInfo).port}`;
  cutter.url = way.toString();
  return Object.assign(cutter, {
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
