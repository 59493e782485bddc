import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The network of an address or a CIDR text, in CIDR form with its host bits cleared; null when it is neither. */
export function networkOf(text: string): string | null {
  const [address = '', bits, ...rest] = text.split('/', 3);
  const version = isIP(address);
  const bitsMax = version === 4 ? 32 : 128;
  if (version === 0 || rest.length > 0 || (bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > bitsMax))) return null;
  const cidr = `${address}/${bits ?? bitsMax}`;
  const family = version === 4 ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${family.networkAddressFromCIDR(cidr).toString()}/${bits ?? bitsMax}`;
}
