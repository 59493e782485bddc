import net from 'node:net';
import { AppError, errorCode } from '@pulsewire/kernel';

/**
 * The port to listen on: the requested one, or a free one for 0. Chosen before anything starts, because the provider's
 * application must contain our callback URL. Throws AppError `port_taken`.
 */
export function choosePort(host: string, wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.once('error', (cause) => {
      if (errorCode(cause) !== 'EADDRINUSE') return reject(cause);
      reject(
        new AppError({
          code: 'port_taken',
          kind: 'conflict',
          message: `Port ${wanted} is in use. Set PORT to another one, or to 0 for any free one.`,
          cause,
        }),
      );
    });
    probe.listen(wanted, host, () => {
      const { port } = probe.address() as net.AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

/** The address of a listener for programs on this machine. */
export function localUrl(host: string, port: number): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
