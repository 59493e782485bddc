import net from 'node:net';
import { freePorts } from '../free-ports.ts';

/** An address that refuses connections until it is opened, and then forwards them to the target. */
export interface LateServer {
  readonly port: number;
  readonly address: string;
  open(): Promise<void>;
  /** Refuses connections again and cuts the open ones. */
  close(): Promise<void>;
}

/** Creates such an address in front of `target` (host:port), for servers that start after their clients. */
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
