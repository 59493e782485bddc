import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The IPv4 address inside of an IPv6 one (`::ffff:203.0.113.9`), which is the same address; others as they are. */
export function plainAddress(address: string): string {
  if (isIP(address) !== 6) return address;
  const parsed = ipaddr.IPv6.parse(address);
  return parsed.isIPv4MappedAddress() ? parsed.toIPv4Address().toString() : address;
}

function withoutMapping(given: string, bits: string | undefined): { readonly address: string; readonly bits: string | undefined } {
  const address = plainAddress(given);
  if (address === given || bits === undefined) return { address, bits };
  // The first 96 bits are those of the mapping.
  return Number(bits) >= 96 ? { address, bits: String(Number(bits) - 96) } : { address: given, bits };
}

/** Whether a network in CIDR form lies within one of others. */
export function isWithinNetworks(network: string, others: readonly string[]): boolean {
  const [address, bits] = ipaddr.parseCIDR(network);
  return others.some((other) => {
    const [base, otherBits] = ipaddr.parseCIDR(other);
    return base.kind() === address.kind() && bits >= otherBits && address.match(base, otherBits);
  });
}

/** The network of an address or a CIDR text, in CIDR form with its host bits cleared; null when it is neither. */
export function networkOf(text: string): string | null {
  const [given = '', givenBits, ...rest] = text.split('/', 3);
  const { address, bits } = withoutMapping(given, givenBits);
  const version = isIP(address);
  const bitsMax = version === 4 ? 32 : 128;
  if (version === 0 || rest.length > 0 || (bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > bitsMax))) return null;
  const cidr = `${address}/${bits ?? bitsMax}`;
  const family = version === 4 ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${family.networkAddressFromCIDR(cidr).toString()}/${bits ?? bitsMax}`;
}
