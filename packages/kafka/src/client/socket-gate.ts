import net from 'node:net';
import tls from 'node:tls';
import type { ISocketFactory } from 'kafkajs';

const keepAliveDelayMs = 30_000;

/**
 * The sockets of one kafkajs object. kafkajs keeps retrying internally after we have given up on it, so a replaced producer could still
 * write later; once the gate is closed, it has no socket and gets no new one.
 */
export interface SocketGate {
  readonly socketFactory: ISocketFactory;
  /** Destroys all sockets and opens no more. */
  close(): void;
}

export function createSocketGate(): SocketGate {
  const sockets = new Set<net.Socket>();
  let isClosed = false;
  return {
    socketFactory({ host, port, ssl, onConnect }) {
      // kafkajs turns this into its own connection error.
      if (isClosed) throw new Error('closed by us');
      const servername = net.isIP(host) === 0 ? { servername: host } : {};
      const socket = ssl ? tls.connect({ host, port, ...servername, ...ssl }, onConnect) : net.connect({ host, port }, onConnect);
      socket.setKeepAlive(true, keepAliveDelayMs);
      socket.setNoDelay(true);
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      return socket;
    },
    close() {
      isClosed = true;
      // With an error, because kafkajs ignores 'close' and would wait for responses that cannot come.
      for (const socket of sockets) socket.destroy(new Error('closed by us'));
    },
  };
}
