import net from 'node:net';
import { listenError } from '@pulsewire/runtime';

export const loopbackNetworks: readonly string[] = ['127.0.0.0/8', '::1/128'];

export function exposedHostWarning(host: string): string {
  return `Warning: HOST=${host} makes the API reachable from other machines, without TLS. Put a proxy with TLS in front of it, and set BASE_URL to the proxy's https address.`;
}

/**
 * The port to listen on: the requested one, or a free one for 0. Chosen before anything starts, because the provider's
 * application must contain our callback URL. Throws the errors of `listenError`.
 */
export function choosePort(host: string, wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.once('error', (error) => reject(listenError(error, { host, port: wanted }, { host: 'HOST', port: 'PORT' })));
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
