import { expect, it } from 'vitest';
import { parsePostgresUrl } from './postgres-url.ts';

it('reads every host of an address with several', () => {
  const parsed = parsePostgresUrl('postgres://pulse:p%40ss@one:5432,two:6543/app?sslmode=require');
  expect(parsed?.hosts).toEqual(['one', 'two']);
  expect([parsed?.url.hostname, parsed?.url.pathname, parsed?.url.searchParams.get('sslmode')]).toEqual(['one', '/app', 'require']);
});

it.each([
  ['postgres://one/app', ['one']],
  ['postgresql://pulse@[::1]:5432/app', ['::1']],
  ['postgres://pulse@%2Frun%2Fpostgresql/app', ['/run/postgresql']],
  ['postgres:///app?host=/run/postgresql', ['']],
])('reads the host of %s', (text, hosts) => {
  expect(parsePostgresUrl(text)?.hosts).toEqual(hosts);
});

it.each(['mysql://one/app', 'one:5432', 'postgres://one,,two/app', 'postgres://one:port/app'])(
  'rejects the Postgres address %s',
  (text) => {
    expect(parsePostgresUrl(text)).toBeNull();
  },
);
