import { BlockList, isIP } from 'node:net';

export const loopbackNetworks: readonly string[] = ['127.0.0.0/8', '::1/128'];

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether only programs on this machine reach a listener on this address. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost') return true;
  const version = isIP(host);
  return version !== 0 && loopback.check(host, version === 6 ? 'ipv6' : 'ipv4');
}

export function exposedHostWarning(host: string): string {
  return `Warning: HOST=${host} makes the API reachable from other machines, without TLS. Put a proxy with TLS in front of it, and set BASE_URL to the proxy's https address.`;
}
