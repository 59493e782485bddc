import { describe, expect, it } from 'vitest';
import { createAddressGuard } from './address-guard.ts';

const guard = createAddressGuard();

describe('createAddressGuard', () => {
  it.each(['93.184.215.14', '8.8.8.8', '172.32.0.1', '2606:4700:4700::1111', '2a00:1450:4001:82b::200e'])(
    'allows the public address %s',
    (address) => {
      expect(guard.allows(address)).toBe(true);
    },
  );

  it.each([
    ['loopback', '127.0.0.1'],
    ['all of loopback', '127.255.255.254'],
    ['private 10/8', '10.1.2.3'],
    ['private 172.16/12', '172.31.255.255'],
    ['private 192.168/16', '192.168.0.1'],
    ['link-local and metadata', '169.254.169.254'],
    ['carrier-grade NAT and metadata', '100.100.100.200'],
    ['unspecified', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['multicast', '224.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['reserved', '240.0.0.1'],
    ['protocol assignments', '192.0.0.192'],
    ['benchmarking', '198.18.0.1'],
    ['documentation', '203.0.113.7'],
    ['metadata at a public address', '168.63.129.16'],
    ['loopback v6', '::1'],
    ['unspecified v6', '::'],
    ['link-local v6', 'fe80::1'],
    ['link-local with zone', 'fe80::1%eth0'],
    ['unique local and metadata v6', 'fd00:ec2::254'],
    ['multicast v6', 'ff02::1'],
    ['site-local', 'fec0::1'],
    ['mapped private', '::ffff:10.0.0.1'],
    ['mapped private in hexadecimal', '::ffff:7f00:1'],
    ['mapped public', '::ffff:8.8.8.8'],
    ['compatible', '::127.0.0.1'],
    ['translated', '::ffff:0:127.0.0.1'],
    ['NAT64', '64:ff9b::7f00:1'],
    ['local NAT64', '64:ff9b:1::7f00:1'],
    ['6to4', '2002:7f00:1::'],
    ['Teredo', '2001::1'],
    ['documentation v6', '2001:db8::1'],
    ['outside of global unicast', '4000::1'],
  ])('rejects webhooks to %s (%s)', (_kind, address) => {
    expect(guard.allows(address)).toBe(false);
  });

  it.each(['', 'localhost', 'example.org', '10.0.0', '1.2.3.4.5', '::1::'])('refuses %s, which is not an address', (text) => {
    expect(guard.allows(text)).toBe(false);
  });

  it('allows configured networks, also in mapped form, and no neighbouring addresses', () => {
    const own = createAddressGuard({ allowedNetworks: ['127.0.0.0/8', 'fd00::/8', '10.1.2.3'] });
    for (const address of ['127.0.0.1', '::ffff:127.0.0.1', 'fd00::1', '10.1.2.3', '8.8.8.8']) expect(own.allows(address)).toBe(true);
    for (const address of ['10.1.2.4', '::1', '169.254.169.254']) expect(own.allows(address)).toBe(false);
  });

  it.each(['10.0.0.0/33', 'example.org', '10.0.0.0/', '/8'])('refuses %s as a network', (network) => {
    expect(() => createAddressGuard({ allowedNetworks: [network] })).toThrow(expect.objectContaining({ code: 'network_invalid' }));
  });
});
