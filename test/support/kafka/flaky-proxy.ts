import net from 'node:net';

/** What the proxy does with traffic. */
export type ProxyMode =
  /** Everything passes. */
  | 'open'
  /** Requests reach the broker; at its response the connection is cut, so that the response is lost. */
  | 'answers-lost'
  /** Connections are accepted and never get a response, as from a broker on a hanging machine. */
  | 'silent';

export interface FlakyProxy {
  readonly address: string;
  readonly mode: ProxyMode;
  /** Requests that reached the broker since the mode was set last. */
  readonly passed: number;
  setMode(mode: ProxyMode): void;
  /** From now on this client's requests of these kinds are accepted and never get a response. The returned function ends this. */
  swallow(clientId: string, kinds: readonly RequestKind[]): () => void;
  close(): Promise<void>;
}

/** Kinds of requests, with their numbers in Kafka's protocol. */
const requestKinds = {
  Produce: 0,
  Fetch: 1,
  ListOffsets: 2,
  Metadata: 3,
  OffsetCommit: 8,
  OffsetFetch: 9,
  FindCoordinator: 10,
  JoinGroup: 11,
  Heartbeat: 12,
  LeaveGroup: 13,
  SyncGroup: 14,
  ApiVersions: 18,
  InitProducerId: 22,
} as const;

export type RequestKind = keyof typeof requestKinds;

/** Kind and client of a request, from its header. */
function headOf(request: Buffer): { readonly kind: number; readonly clientId: string } | null {
  if (request.length < 14) return null;
  return { kind: request.readInt16BE(4), clientId: request.toString('utf8', 14, 14 + request.readInt16BE(12)) };
}

/** A TCP proxy in front of one broker, for faults that a broker itself does not show. */
export async function startFlakyProxy(targetAddress: string): Promise<FlakyProxy> {
  const [host = '', port = ''] = targetAddress.split(':');
  const sockets = new Set<net.Socket>();
  let mode: ProxyMode = 'open';
  let passed = 0;
  const swallowing = new Set<{ readonly clientId: string; readonly kinds: ReadonlySet<number> }>();
  const isSwallowed = (request: Buffer) => {
    if (swallowing.size === 0) return false;
    const head = headOf(request);
    return head !== null && [...swallowing].some(({ clientId, kinds }) => clientId === head.clientId && kinds.has(head.kind));
  };
  const track = (socket: net.Socket) => {
    sockets.add(socket);
    // Both ends are cut on purpose, so their errors are ignored.
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    return socket;
  };
  const server = net.createServer((client) => {
    track(client);
    const broker = track(net.connect({ host, port: Number(port) }));
    client.on('data', (chunk) => {
      if (mode === 'silent' || isSwallowed(chunk)) return;
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
    swallow(clientId, kinds) {
      const rule = { clientId, kinds: new Set(kinds.map((kind) => requestKinds[kind])) };
      swallowing.add(rule);
      return () => void swallowing.delete(rule);
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
