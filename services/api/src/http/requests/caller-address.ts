import { isIP } from 'node:net';
import { plainAddress } from '@pulsewire/outbound';

const withPort = /^(?:\[([0-9a-f:.]{2,45})\]|(\d{1,3}(?:\.\d{1,3}){3})):\d{1,5}$/i;

/**
 * The caller's address without port and interface, which some proxies add; null when the proxy sent something else, or when the caller
 * has closed the connection: a socket that was reset has no address any more, although Fastify's types promise one.
 */
export function callerAddress(given: string | undefined): string | null {
  if (given === undefined) return null;
  const [, v6, v4] = withPort.exec(given) ?? [];
  const [plain = ''] = (v6 ?? v4 ?? given).split('%', 1);
  return isIP(plain) === 0 ? null : plainAddress(plain);
}
