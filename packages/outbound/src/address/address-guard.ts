import { AppError } from '@pulsewire/kernel';
import ipaddr from 'ipaddr.js';

/** Decides which addresses may be called on a team's behalf. */
export interface AddressGuard {
  /** Whether a connection to this literal address may be opened. False for anything that is not an address. */
  allows(address: string): boolean;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

// Answers to machines of one cloud alone, yet lies in public space, so that no range covers it.
const publicMetadataAddresses: ReadonlySet<string> = new Set(['168.63.129.16']);

// Only this much of IPv6 is given out for general use. Whatever carries an IPv4 address inside (mapped, NAT64, 6to4, Teredo)
// lies outside of it or in a named range of its own.
const globalUnicastV6: Network = [ipaddr.parse('2000::'), 3];

function matches(address: Address, [network, bits]: Network): boolean {
  // The library's two overloads cannot see that both sides are of one kind.
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
 * Lets through addresses of the public internet and those of `allowedNetworks` (CIDR networks or addresses). Denied are private,
 * loopback, link-local, metadata, multicast, unspecified, carrier-grade NAT, reserved, and every IPv6 form that carries an IPv4
 * address (webhooks.md 6, point 9). Throws AppError `network_invalid`.
 */
export function createAddressGuard(options: { readonly allowedNetworks?: readonly string[] } = {}): AddressGuard {
  const allowed = (options.allowedNetworks ?? []).map(parseNetwork);
  return {
    allows(text) {
      if (!ipaddr.isValid(text)) return false;
      // The kernel connects a mapped address as the IPv4 address that it carries, so it is judged as that.
      const address = ipaddr.process(text);
      return (
        allowed.some((network) => matches(address, network)) || (address.toString() === ipaddr.parse(text).toString() && isPublic(address))
      );
    },
  };
}
