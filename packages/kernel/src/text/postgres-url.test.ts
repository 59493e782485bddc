import { expect, it } from 'vitest';
import { parsePostgresUrl } from './postgres-url.ts';

it('reads every host of an address with several, each with its port, and what the hosts share', () => {
  expect(parsePostgresUrl('postgres://pulse:p%40s,s@one:6000,two,[::1]:6543/app?sslmode=require&search_path=a&connect_timeout=3')).toEqual({
    hosts: ['one', 'two', '::1'],
    ports: [6000, 5432, 6543],
    user: 'pulse',
    password: 'p@s,s',
    database: 'app',
    tls: 'require',
    isTlsDirect: false,
    connectTimeoutSeconds: 3,
    target: undefined,
    session: { search_path: 'a' },
  });
});

it.each([
  ['postgres://one/app', ['one']],
  ['postgresql://pulse@[::1]:5432/app', ['::1']],
  ['postgres://pulse@%2Frun%2Fpostgresql/app', ['/run/postgresql']],
  ['postgres://pulse@/app?host=/run/postgresql', ['/run/postgresql']],
  ['postgres://pulse@/app?host=/run/a+b', ['/run/a+b']],
  ['postgres://one/app?channel_binding=prefer', ['one']],
  ['postgres:///app', ['localhost']],
  ['postgres://pulse@b-1.db_x.example.', ['b-1.db_x.example.']],
])('reads the host of %s', (text, hosts) => {
  expect(parsePostgresUrl(text)?.hosts).toEqual(hosts);
});

it('leaves open what the address does not name', () => {
  expect(parsePostgresUrl('postgres://one')).toMatchObject({ user: undefined, password: undefined, database: undefined, tls: null });
});

it.each([
  ['sslmode=disable', null],
  ['ssl=false', null],
  ['sslmode=prefer', 'prefer'],
  ['ssl=true', 'verify-full'],
  ['sslrootcert=system', 'verify-full'],
  ['sslmode=verify-full&sslrootcert=system', 'verify-full'],
])('reads the TLS of %s', (query, tls) => {
  expect(parsePostgresUrl(`postgres://one/app?${query}`)?.tls).toBe(tls);
});

it.each([
  ['another scheme', 'mysql://one/app'],
  ['no scheme', 'one:5432'],
  ['a host between commas missing', 'postgres://one,,two/app'],
  ['a port that is no number', 'postgres://one:port/app'],
  ['port 0', 'postgres://one:0/app'],
  ['a port of a later host beyond all', 'postgres://one:5432,two:99999/app'],
  ['a mistyped address', 'postgres://256.1.1.1/app'],
  ['an address of IPv6 without brackets', 'postgres://::1/app'],
  ['brackets around a name', 'postgres://[one]/app'],
  ['a folder among hosts', 'postgres://%2Frun,one/app'],
  ['a host of a parameter beside another', 'postgres://one/app?host=%2Frun'],
  ['a host of a parameter that is no folder', 'postgres:///app?host=one'],
  ['an @ in the password', 'postgres://u:p@ss@one,two/app'],
  ['a question mark in the password', 'postgres://u:12?pw@one/app'],
  ['a slash in the password', 'postgres://u:12/pw@one/app'],
  ['a number sign in the password', 'postgres://u:12#pw@one/app'],
  ['a percent sign in the password', 'postgres://u:p%zz@one/app'],
  ['NUL in the password', 'postgres://u:p%00@one/app'],
  ['NUL in the name', 'postgres://u@one/app%00'],
  ['a slash in the name', 'postgres://u@one/app/x'],
  ['a line break', 'postgres://u@one/app\n'],
  ['a blank', 'postgres://u@one, two/app'],
  ['an invisible character', 'postgres://u@one\u200b/app'],
  ['contradicting parameters of TLS', 'postgres://one/app?sslmode=disable&sslrootcert=system'],
  ['a repeated parameter', 'postgres://one/app?sslmode=require&sslmode=disable'],
] as const)('rejects an address with %s', (_, text) => {
  expect(parsePostgresUrl(text)).toBeNull();
});

const unknown = 'port=1 user=a password=a pass=a session=a dbname=a no_prepare=1 prepare=false Prepare=false %70repare=false';
const ofTls = 'ssl=banana ssl=no ssl=0 sslmode= sslnegotiation=banana sslnegotiation=direct sslrootcert=/ca.pem';
const others =
  'connect_timeout=0 connect_timeout=601 connect_timeout=1e1 target_session_attrs=standby options=%00 search_path=%zz channel_binding=require';

it.each(`${unknown} ${ofTls} ${others}`.split(' '))('rejects the parameter %s, which would be used otherwise or not at all', (query) => {
  expect(parsePostgresUrl(`postgres://one/app?${query}`)).toBeNull();
});
