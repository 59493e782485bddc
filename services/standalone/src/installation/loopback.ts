export const loopbackNetworks: readonly string[] = ['127.0.0.0/8', '::1/128'];

export function exposedHostWarning(host: string): string {
  return `Warning: HOST=${host} makes the API reachable from other machines, without TLS. Put a proxy with TLS in front of it, and set BASE_URL to the proxy's https address.`;
}
