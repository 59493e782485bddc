import { Resolver } from 'node:dns/promises';
import { afterEach, expect, test } from 'vitest';
import { createNameServer, type NameServer } from './name-server.ts';

let server: NameServer;
afterEach(() => server.close());

test('responds by the number of earlier queries, for IPv4 and IPv6, and reports unknown names', async () => {
  server = await createNameServer((name, queriedBefore) => {
    if (name !== 'a.example.org') return 'unknown';
    return queriedBefore === 0 ? ['192.0.2.1', '2001:db8::2:1', '::ffff:a00:1'] : ['192.0.2.2'];
  });
  const resolver = new Resolver();
  resolver.setServers([server.address]);
  expect(await resolver.resolve4('A.example.org')).toEqual(['192.0.2.1']);
  expect((await resolver.resolve6('a.example.org')).toSorted()).toEqual(['2001:db8::2:1', '::ffff:10.0.0.1'].toSorted());
  expect(await resolver.resolve4('a.example.org')).toEqual(['192.0.2.2']);
  await expect(resolver.resolve4('b.example.org')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  expect(server.counts()).toEqual({ 'a.example.org': 2, 'b.example.org': 1 });
});
