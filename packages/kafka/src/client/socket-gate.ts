import net from 'node:net';
import tls from 'node:tls';
import type { ISocketFactory } from 'kafkajs';

const keepAliveDelayMs = 30_000;

/**
 * The sockets of one kafkajs object. kafkajs goes on retrying inside after we have given up on it, so a producer that was replaced
 * could still write later; once the gate is shut it has no socket left and gets no new one.
 */
export interface SocketGate {
  readonly socketFactory: ISocketFactory;
  /** Ends all sockets at once, and for good. */
  shut(): void;
}

export function createSocketGate(): SocketGate {
  const sockets = new Set<net.Socket>();
  let isShut = false;
  return {
    socketFactory({ host, port, ssl, onConnect }) {
      // kafkajs turns this into its own connection error.
      if (isShut) throw new Error('closed by us');
      const servername = net.isIP(host) === 0 ? { servername: host } : {};
      const socket = ssl ? tls.connect({ host, port, ...servername, ...ssl }, onConnect) : net.connect({ host, port }, onConnect);
      socket.setKeepAlive(true, keepAliveDelayMs);
      socket.setNoDelay(true);
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      return socket;
    },
    shut() {
      isShut = true;
      // With an error, because kafkajs does not listen to 'close' and would wait for answers that cannot come.
      for (const socket of sockets) socket.destroy(new Error('closed by us'));
    },
  };
}
