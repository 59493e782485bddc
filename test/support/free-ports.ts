import net from 'node:net';

/**
 * `count` ports of this machine that nobody listens on now. Not the ones that the system hands out: a broker that binds its port
 * seconds later, or again after a kill, would find it taken by somebody's outgoing connection now and then.
 */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  for (let tries = 0; ports.size < count; tries++) {
    if (tries > 200) throw new Error('No free port was found');
    const port = firstPort + Math.floor(Math.random() * (lastPort - firstPort));
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

// Linux hands out ports from 32768 on, macOS and Windows from 49152.
const [firstPort, lastPort] = [12_000, 32_000];

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
