import net from 'node:net';

/**
 * Finds `count` unused ports outside the ephemeral range: a broker that binds its port seconds later, or again after a kill, would
 * sometimes find an ephemeral port taken by an outgoing connection.
 */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  for (let attempts = 0; ports.size < count; attempts++) {
    if (attempts > 200) throw new Error('Found no free port');
    const port = firstPort + Math.floor(Math.random() * (lastPort - firstPort));
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

// Ephemeral ports begin at 32768 on Linux, at 49152 on macOS and Windows.
const [firstPort, lastPort] = [12_000, 32_000];

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
