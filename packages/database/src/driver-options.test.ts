import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { openDatabase, type DatabaseOptions } from './client.ts';
import { ownServerOptions } from './driver-options.ts';

afterEach(() => vi.unstubAllEnvs());

/** What the driver has understood; nothing is connected. */
function driverOf(url: string, options: Partial<DatabaseOptions> = {}) {
  return (openDatabase({ url, ...options }).sql as unknown as { options: Record<string, unknown> }).options;
}

it('the driver connects to every host at its own port, as the user and with the password of the URL', () => {
  expect(driverOf('postgres://u:p%40s@one:6000,two,[::1]:6001/app')).toMatchObject({
    host: ['one', 'two', '::1'],
    port: [6000, 5432, 6001],
    user: 'u',
    pass: 'p@s',
    database: 'app',
  });
});

it.each(['postgres://u@%2Frun%2Fpostgresql/app', 'postgres://u@/app?host=/run/postgresql'])('the driver uses the socket of %s', (url) => {
  expect(driverOf(url)).toMatchObject({ path: '/run/postgresql/.s.PGSQL.5432', database: 'app' });
});

it('no variable of the environment changes where the driver connects and how', () => {
  for (const [name, value] of Object.entries({
    PGHOST: 'other',
    PGPORT: '1',
    PGSSL: 'require',
    PGCONNECT_TIMEOUT: '1',
    PGTARGETSESSIONATTRS: 'standby',
  }))
    vi.stubEnv(name, value);
  for (const options of [driverOf('postgres:///app'), ownServerOptions('postgres:///app')])
    expect(options).toMatchObject({
      host: ['localhost'],
      port: [5432],
      ssl: false,
      connect_timeout: 10,
      target_session_attrs: 'read-write',
    });
  expect(driverOf('postgres:///app?target_session_attrs=any')).toMatchObject({ target_session_attrs: null });
});

it('the deadline of the URL counts for connections, unless the caller has one', () => {
  expect(driverOf('postgres://h/app?connect_timeout=30')).toMatchObject({ connect_timeout: 30 });
  expect(driverOf('postgres://h/app?connect_timeout=30', { connectTimeoutSeconds: 2 })).toMatchObject({ connect_timeout: 2 });
});

it.each([
  ['ssl=true', { ssl: 'verify-full', sslnegotiation: null }],
  ['sslmode=require&sslnegotiation=direct', { ssl: 'require', sslnegotiation: 'direct' }],
  ['target_session_attrs=primary', { target_session_attrs: 'primary' }],
  ['target_session_attrs=any', { target_session_attrs: null }],
  ['application_name=a&search_path=b', { connection: { application_name: 'a', search_path: 'b' } }],
])('the driver does what the parameters %s ask for', (query, expected) => {
  expect(driverOf(`postgres://h/app?${query}`)).toMatchObject(expected);
});

it('a URL that would be used otherwise than it reads opens nothing, and is not shown', () => {
  const open = () => openDatabase({ url: 'postgres://u:p@ss@h/app' });
  expect(open).toThrow(expect.objectContaining({ code: 'config_invalid' }));
  expect(open).not.toThrow('p@ss');
});

it('a server at an address of IPv6 is reached, also as a later one of several', async () => {
  const server = net.createServer((socket) => socket.destroy()).listen(0, '::1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  for (const hosts of [`[::1]:${port}`, `127.0.0.1:1,[::1]:${port}`]) {
    const reached = once(server, 'connection');
    const database = openDatabase({ url: `postgres://u@${hosts}/app`, connectionsMax: 1, connectTimeoutSeconds: 5 });
    const statement = database.sql`SELECT 1`.catch(() => 'refused');
    await reached;
    await database.close();
    expect(await statement).toBe('refused');
  }
  server.close();
});
