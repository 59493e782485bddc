import type { Server } from 'node:net';
import { httpAddress } from './http-address.ts';

/** Starts listening and returns the address, `http://host:port`. Rejects when the port is taken. */
export function listen(server: Server, port: number, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(httpAddress(host, typeof address === 'object' && address ? address.port : port));
    });
  });
}
