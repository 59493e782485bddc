import { AppError } from '@pulsewire/kernel';
import ipaddr from 'ipaddr.js';

/** Decides which addresses may be called on a team's behalf. */
export interface AddressGuard {
  /** Whether a connection to this literal address may be opened. False for anything that is not an address. */
  allows(address: string): boolean;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

// Reachable only from machines of one cloud but within public address space, so no range covers it.
const publicMetadataAddresses: ReadonlySet<string> = new Set(['168.63.129.16']);

// Only this part of IPv6 is assigned for general use. Forms that embed an IPv4 address (mapped, NAT64, 6to4, Teredo) are outside of it or
// have a named range.
const globalUnicastV6: Network = [ipaddr.parse('2000::'), 3];

function matches(address: Address, [network, bits]: Network): boolean {
  // The library's two overloads cannot express that both sides have the same type.
  return address.kind() === network.kind() && (address as ipaddr.IPv6).match(network, bits);
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  if (address.kind() === 'ipv6') return matches(address, globalUnicastV6);
  return !publicMetadataAddresses.has(address.toString());
}

/** Throws AppError `network_invalid` when the text is neither an address nor a CIDR network. */
function parseNetwork(text: string): Network {
  try {
    if (text.includes('/')) return ipaddr.parseCIDR(text);
    const address = ipaddr.parse(text);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  } catch (cause) {
    throw new AppError({
      code: 'network_invalid',
      kind: 'invalid',
      message: 'An allowed network must be an address or a CIDR network',
      details: { network: text },
      cause,
    });
  }
}

/**
 * Allows addresses of the public internet and of `allowedNetworks` (CIDR networks or addresses). Denies private, loopback, link-local,
 * metadata, multicast, unspecified, carrier-grade NAT and reserved addresses, and every IPv6 form that embeds an IPv4 address (webhooks.md
 * 6, point 9). Throws AppError `network_invalid`.
 */
export function createAddressGuard(options: { readonly allowedNetworks?: readonly string[] } = {}): AddressGuard {
  const allowed = (options.allowedNetworks ?? []).map(parseNetwork);
  return {
    allows(text) {
      if (!ipaddr.isValid(text)) return false;
      // The kernel connects a mapped address as the embedded IPv4 address, so that one is checked.
      const address = ipaddr.process(text);
      return (
        allowed.some((network) => matches(address, network)) || (address.toString() === ipaddr.parse(text).toString() && isPublic(address))
      );
    },
  };
}
