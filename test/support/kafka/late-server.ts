import net from 'node:net';
import { freePorts } from '../free-ports.ts';

/** An address at which nobody answers until it is opened; what comes then goes to the target. */
export interface LateServer {
  readonly port: number;
  readonly address: string;
  open(): Promise<void>;
  /** Refuses connections again and cuts those that there are. */
  close(): Promise<void>;
}

/** A server that may be away when its clients start, in front of `target` (host:port). */
export async function createLateServer(target: string): Promise<LateServer> {
  const [host = '', targetPort = ''] = target.split(':');
  const [port = 0] = await freePorts(1);
  const sockets = new Set<net.Socket>();
  let server: net.Server | undefined;
  const forward = (client: net.Socket) => {
    const upstream = net.connect(Number(targetPort), host);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  };
  return {
    port,
    address: `127.0.0.1:${port}`,
    async open() {
      const listening = net.createServer(forward);
      server = listening;
      await new Promise<void>((resolve) => listening.listen(port, '127.0.0.1', () => resolve()));
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      const closing = server;
      server = undefined;
      if (closing) await new Promise<void>((resolve) => closing.close(() => resolve()));
    },
  };
}
