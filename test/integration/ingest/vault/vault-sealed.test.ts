import { randomBytes } from 'node:crypto';
import { brotliDecompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createCipher, rotateSealed, sealedUses, type SealedColumn } from '@pulsewire/database';
import { createIngest, ingestSealedColumns, type IngestOptions } from '@pulsewire/ingest';
import { useDatabase } from '../../../support/database.ts';
import { sendPush, startIngest, withPush } from '../support/push-harness.ts';
import { recordsOf, renormaliseWith, vaultText } from '../support/vault-harness.ts';
import { cipher, createHarness, today, type Linked, type Harness } from '../support/harness.ts';

const database = useDatabase();
let harness: Harness;
let linked: Linked;
beforeEach(async () => {
  harness = await createHarness(database.current);
  await database.current.sql`TRUNCATE raw_answers, push_inbox`;
  linked = await harness.link();
});
afterEach(() => harness.close());

const token = 'eyJhbGciOiJIUzI1NiJ9.renewed-session-token';
const [column] = ingestSealedColumns.filter(({ table }) => table === 'raw_answers') as [SealedColumn];

/** Responses that repeat the session's token beside the data, and contain `padding` incompressible bytes. */
function talkative(padding = 0): IngestOptions {
  const sendFor: IngestOptions['sendFor'] = (request) => {
    const send = harness.options.sendFor(request);
    return async (method, path, call) => {
      const response = await send(method, path, call);
      const noise = randomBytes(padding).toString('base64');
      return { ...response, bytes: Buffer.from(JSON.stringify({ ...(response.body as object), ticket: { token }, noise })) };
    };
  };
  return { ...harness.options, sendFor };
}

/** Everything that can be read from the table without a key: its columns, and bodies as stored and decompressed. */
async function readable(): Promise<string> {
  const rows = await database.current.sql<{ body: Buffer }[]>`SELECT * FROM raw_answers`;
  const unpacked = (body: Buffer) => {
    try {
      return brotliDecompressSync(body).toString('latin1');
    } catch {
      return '';
    }
  };
  return rows.map(({ body, ...columns }) => [JSON.stringify(columns), body.toString('latin1'), unpacked(body)].join('\n')).join('\n');
}

describe('a response in the vault', () => {
  test('is unreadable without the key, as is a token that came with it', async () => {
    await createIngest(talkative()).drain();
    const inside = await vaultText(database.current, cipher);
    expect(inside).toContain(token);
    expect(inside).toContain('"value":');
    const outside = await readable();
    expect(outside.length).toBeGreaterThan(1000);
    for (const word of [token, '"value":', 'ticket', 'fallbackTimeZone', linked.providerUserId]) expect(outside.includes(word)).toBe(false);
  });

  test('is unreadable without the key when it came in a push', async () => {
    const connector = withPush(harness, { map: () => ({ records: [], quarantined: [] }) });
    const ingest = startIngest(harness, connector);
    const notice = {
      kind: 'data',
      providerUserId: linked.providerUserId,
      collection: 'dailies',
      payload: { day: today, ticket: { token } },
    };
    await sendPush(database.current, harness, connector, [notice]);
    await ingest.drain();
    expect(await database.current.sql`SELECT 1 FROM raw_answers WHERE source = 'push'`).toHaveLength(1);
    expect(await vaultText(database.current, cipher)).toContain(token);
    expect((await readable()).includes(token)).toBe(false);
  });

  test('can be opened only in its own row', async () => {
    await harness.ingest.drain();
    const { sql } = database.current;
    const [one, two] = await sql<{ run_id: string; part: number; body: Buffer }[]>`SELECT * FROM raw_answers WHERE part = 1 LIMIT 2`;
    await sql`UPDATE raw_answers SET body = ${two?.body ?? null} WHERE run_id = ${one?.run_id ?? ''} AND part = 1`;
    await expect(renormaliseWith(database.current, harness.wristband.connector)).rejects.toMatchObject({ code: 'cipher_broken' });
    await sql`UPDATE raw_answers SET body = ${one?.body ?? null}, user_id = ${linked.connectionId} WHERE run_id = ${one?.run_id ?? ''} AND part = 1`;
    await expect(vaultText(database.current, cipher)).rejects.toMatchObject({ code: 'cipher_broken' });
  });
});

describe('the rotation of keys', () => {
  test('reseals the whole vault, so that the old key can be removed and everything maps as before', async () => {
    await createIngest(talkative(400_000)).drain();
    const { sql } = database.current;
    await sql`CREATE TABLE raw_answers_20300101 PARTITION OF raw_answers FOR VALUES FROM ('2030-01-01') TO ('2030-01-02')`;
    await sql`UPDATE raw_answers SET day = '2030-01-01' WHERE pull = 'scales'`;
    const [size] = await sql<
      { bytes: string; parts: number }[]
    >`SELECT sum(octet_length(body)) AS bytes, count(*)::int AS parts FROM raw_answers`;
    const before = await recordsOf(database.current, linked.userId);
    const after = createCipher(
      new Map([
        [1, Buffer.alloc(32, 7)],
        [2, Buffer.alloc(32, 8)],
      ]),
    );
    expect(await rotateSealed(database.current, after, column)).toEqual({ resealed: size?.parts, unreadable: 0 });
    expect(await sealedUses(database.current, column)).toEqual([{ table: 'raw_answers', column: 'body', keyId: 2, values: size?.parts }]);
    const withoutOld = createCipher(new Map([[2, Buffer.alloc(32, 8)]]));
    const tally = await renormaliseWith(database.current, harness.wristband.connector, {}, withoutOld);
    expect(tally).toMatchObject({ created: 0, updated: 0, notInVault: 0, failed: new Map() });
    expect(tally.responses).toBe(harness.wristband.calls.length);
    expect(await recordsOf(database.current, linked.userId)).toEqual(before);
    expect(Number(size?.bytes)).toBeGreaterThan(10 * 1024 * 1024);
  }, 60_000);
});
