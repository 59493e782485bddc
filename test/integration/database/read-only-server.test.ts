import { afterEach, expect, it } from 'vitest';
import { openDatabase, type Database } from '@pulsewire/database';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();
const opened: Database[] = [];
afterEach(async () => {
  await database.current.sql.unsafe(`ALTER DATABASE "${nameOf(database.url)}" RESET default_transaction_read_only`);
  for (const one of opened.splice(0)) await one.close();
});

const nameOf = (url: string) => new URL(url).pathname.slice(1);
const setReadOnly = (value: 'on' | 'off') =>
  database.current.sql.unsafe(`ALTER DATABASE "${nameOf(database.url)}" SET default_transaction_read_only = ${value}`);

function open(url = database.url): Database {
  const one = openDatabase({ url, name: 'read-only', connectionsMax: 2 });
  opened.push(one);
  return one;
}

it('closes a connection whose server can only be read, and writes as soon as a new one can', async () => {
  const pool = open();
  await pool.sql`CREATE TABLE written (n int)`;
  // Sessions that were opened on the old primary before it was demoted.
  await Promise.all([1, 2].map(() => pool.sql.unsafe('SET default_transaction_read_only = on; SELECT pg_sleep(0.02)')));
  const failures: string[] = [];
  await expect
    .poll(
      async () => {
        const failed = await pool.sql`INSERT INTO written VALUES (1)`.then(() => null).catch((error: { code: string }) => error.code);
        if (failed !== null) failures.push(failed);
        return failed;
      },
      { timeout: 10_000 },
    )
    .toBeNull();
  // One for each connection at most: none is used again.
  expect(failures).toEqual(failures.map(() => '25006'));
  expect([failures.length > 0, failures.length <= 2]).toEqual([true, true]);
});

it('closes such a connection after a transaction and after a reservation too', async () => {
  const pool = open();
  await pool.sql`CREATE TABLE IF NOT EXISTS kept (n int)`;
  const pidOf = async () => (await pool.sql<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`)[0]?.pid;
  const before = await pidOf();
  const inside = pool.transaction(async (tx) => {
    await tx.sql`SET TRANSACTION READ ONLY`;
    await tx.sql`INSERT INTO kept VALUES (1)`;
  });
  await expect(inside).rejects.toMatchObject({ code: '25006' });
  const after = await pidOf();
  expect(after).not.toBe(before);
  const session = await pool.reserve();
  await session.unsafe('SET default_transaction_read_only = on');
  await expect(session`INSERT INTO kept VALUES (1)`).rejects.toMatchObject({ code: '25006' });
  session.release();
  expect(await pidOf()).not.toBe(after);
});

it('refuses to use a database that only reads, and uses it again once it can be written', async () => {
  await setReadOnly('on');
  const pool = open();
  await expect(pool.sql`SELECT 1`).rejects.toMatchObject({ code: expect.stringMatching(/CONNECTION_/) });
  await setReadOnly('off');
  expect(await pool.sql`SELECT 1 AS one`).toEqual([{ one: 1 }]);
});

it('finds the host that can be written among several, also when the first does not respond', async () => {
  const url = new URL(database.url);
  const { host } = url;
  const several = open(database.url.replace(host, `127.0.0.1:1,${host}`));
  expect(await several.sql`SELECT 1 AS one`).toEqual([{ one: 1 }]);
  const reversed = open(database.url.replace(host, `${host},127.0.0.1:1`));
  expect(await reversed.sql`SELECT 1 AS one`).toEqual([{ one: 1 }]);
});

it('reports that no host accepts connections instead of waiting for ever', async () => {
  const { host } = new URL(database.url);
  const nobody = openDatabase({ url: database.url.replace(host, '127.0.0.1:1,127.0.0.1:2'), connectionsMax: 1, connectTimeoutSeconds: 1 });
  opened.push(nobody);
  await expect(nobody.sql`SELECT 1`).rejects.toMatchObject({ code: expect.stringMatching(/ECONNREFUSED|CONNECT_TIMEOUT/) });
});
