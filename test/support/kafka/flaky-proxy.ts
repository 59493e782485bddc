import net from 'node:net';

/** What the proxy does with traffic. */
export type ProxyMode =
  /** Everything passes. */
  | 'open'
  /** Requests reach the broker; at its answer the connection is cut, so that the answer is lost. */
  | 'answers-lost'
  /** Connections are taken and nothing ever comes back: a broker whose machine hangs. */
  | 'silent';

export interface FlakyProxy {
  readonly address: string;
  readonly mode: ProxyMode;
  /** Requests that reached the broker since the mode was set last. */
  readonly passed: number;
  setMode(mode: ProxyMode): void;
  close(): Promise<void>;
}

/** A TCP proxy in front of one broker, for faults that a broker itself does not show. */
export async function startFlakyProxy(targetAddress: string): Promise<FlakyProxy> {
  const [host = '', port = ''] = targetAddress.split(':');
  const sockets = new Set<net.Socket>();
  let mode: ProxyMode = 'open';
  let passed = 0;
  const track = (socket: net.Socket) => {
    sockets.add(socket);
    // Both ends are cut on purpose; the error is the other end's matter.
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    return socket;
  };
  const server = net.createServer((client) => {
    track(client);
    const broker = track(net.connect({ host, port: Number(port) }));
    client.on('data', (chunk) => {
      if (mode === 'silent') return;
      passed++;
      broker.write(chunk);
    });
    broker.on('data', (chunk) => {
      if (mode === 'open') client.write(chunk);
      else if (mode === 'answers-lost') client.destroy();
    });
    client.once('close', () => broker.destroy());
    broker.once('close', () => client.end());
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    get mode() {
      return mode;
    },
    get passed() {
      return passed;
    },
    setMode(next) {
      mode = next;
      passed = 0;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
