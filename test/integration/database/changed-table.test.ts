import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase, type Database } from '@pulsewire/database';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();
let one: Database;
beforeEach(() => {
  // One connection, so that the statements are prepared where they run again.
  one = openDatabase({ url: database.url, name: 'changed-table', connectionsMax: 1 });
});
afterEach(async () => {
  await one.sql`DROP TABLE IF EXISTS changed`;
  await one.close();
});

const insert = (n: number, k: Buffer, ok: boolean) => one.sql`INSERT INTO changed (k, ok, n) VALUES (${k}, ${ok}, ${n}) RETURNING *`;
const find = (k: Buffer, ok: boolean) => one.sql`SELECT * FROM changed WHERE k = ${k} AND ok = ${ok}`;

it('sends the same bytes and booleans when a prepared statement runs again after its table has changed', async () => {
  await one.sql.unsafe(`CREATE TABLE changed (k bytea, ok boolean, n int); INSERT INTO changed VALUES ('\\x0102', true, 1)`);
  expect(await find(Buffer.from('0102', 'hex'), true)).toHaveLength(1);
  await insert(2, Buffer.from('0909', 'hex'), true);
  await one.sql`ALTER TABLE changed ADD COLUMN extra int`;
  expect(await find(Buffer.from('0102', 'hex'), true)).toHaveLength(1);
  await insert(3, Buffer.from('0909', 'hex'), true);
  expect(await one.sql`SELECT n, encode(k, 'hex') AS k, ok FROM changed ORDER BY n`).toEqual([
    { n: 1, k: '0102', ok: true },
    { n: 2, k: '0909', ok: true },
    { n: 3, k: '0909', ok: true },
  ]);
});

it('throws when the server answers a COMMIT with ROLLBACK', async () => {
  await one.sql`CREATE TABLE changed (n int)`;
  // Prepares the COMMIT of this connection.
  await one.transaction(async (tx) => void (await tx.sql`INSERT INTO changed VALUES (1)`));
  const lost = one.transaction(async (tx) => {
    await tx.sql`INSERT INTO changed VALUES (2)`;
    // As a pooler does that gives the connection to another server: the COMMIT then fails, and is retried in a failed transaction.
    await tx.sql.unsafe('DEALLOCATE ALL');
  });
  await expect(lost).rejects.toMatchObject({ code: 'TRANSACTION_NOT_COMMITTED' });
  expect(await one.sql`SELECT n FROM changed`).toEqual([{ n: 1 }]);
});
