import { isIP } from 'node:net';
import { plainAddress } from '@pulsewire/outbound';

const withPort = /^(?:\[([0-9a-f:.]{2,45})\]|(\d{1,3}(?:\.\d{1,3}){3})):\d{1,5}$/i;

/** The caller's address without port and interface, which some proxies add; null when the proxy sent something else. */
export function callerAddress(given: string): string | null {
  const [, v6, v4] = withPort.exec(given) ?? [];
  const [plain = ''] = (v6 ?? v4 ?? given).split('%', 1);
  return isIP(plain) === 0 ? null : plainAddress(plain);
}
