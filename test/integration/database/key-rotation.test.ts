import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createCipher, rotateSealed, sealedUses, type Cipher, type SealedColumn } from '@pulsewire/database';
import { encryptionCommands } from '../../../services/standalone/src/admin/encryption/keys-rotation.ts';
import { sealedColumns } from '../../../services/standalone/src/installation/sealed-columns.ts';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();
const oldKey = Buffer.alloc(32, 1);
const newKey = Buffer.alloc(32, 2);
const before = createCipher(new Map([[1, oldKey]]));
const after = createCipher(
  new Map([
    [1, oldKey],
    [2, newKey],
  ]),
);
const withoutOld = createCipher(new Map([[2, newKey]]));
const tokens = sealedColumns.filter(({ table }) => table === 'connection_tokens');
const [accessColumn] = tokens as [SealedColumn];

/**
 * bytea columns without secrets: hashes, packed samples and streams, pushed bodies until they are processed, keys that a KMS
 * has encrypted. A new bytea column has to be listed here or, if it is sealed, in the list of its package.
 */
const plainColumns: ReadonlySet<string> = new Set([
  'log_events.packed',
  'workout_streams.packed',
  'sample_receipts.keys',
  'api_keys.key_hash',
  'push_inbox.body',
  'encryption_key_checks.check_value',
  'login_attempts.key',
  'link_consents.code_hash',
  'push_digests.digest',
  // Digests of responses.
  'pull_windows.reading',
  // Distinguishes our records on Kafka from forged ones; a reader of this column can read and write the log anyway.
  'log_installation.mac_key',
  'phone_sessions.refresh_hash',
  'phone_sessions.former_hash',
  'encryption_data_keys.wrapped',
  // Hashes of the ids that phones give their samples.
  'phone_sample_ids.ids',
]);

const context = (connectionId: string) => `connection:${connectionId}`;

async function addTokens(cipher: Cipher, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  const { sql } = database.current;
  for (const id of ids) {
    await sql`INSERT INTO connections (connection_id, team_id, user_id, provider, status, application, created_at, updated_at)
      VALUES (${id}, ${randomUUID()}, ${randomUUID()}, 'fitbit', 'connected', 'team', now(), now())`;
    await sql`INSERT INTO connection_tokens (connection_id, access_token, refresh_token, issued_at, token_version)
      VALUES (${id}, ${cipher.seal(`access ${id}`, context(id))}, ${cipher.seal(`refresh ${id}`, context(id))}, now(), 1)`;
  }
  return ids;
}

const rotateAll = async () => {
  for (const column of tokens) await rotateSealed(database.current, after, column);
};

beforeEach(async () => {
  await database.current.sql`TRUNCATE connections CASCADE`;
});

describe('the list of sealed columns', () => {
  it('contains every bytea column that is not known to hold no secret', async () => {
    const columns = await database.current.sql<{ name: string }[]>`
      SELECT c.relname || '.' || a.attname AS name FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.atttypid = 'bytea'::regtype AND NOT a.attisdropped`;
    const listed = new Set(sealedColumns.map(({ table, column }) => `${table}.${column}`));
    const found = columns.map(({ name }) => name);
    expect(found.filter((name) => !listed.has(name) && !plainColumns.has(name))).toEqual([]);
    expect([...listed, ...plainColumns].filter((name) => !found.includes(name))).toEqual([]);
  });

  it('builds its contexts from existing columns', async () => {
    for (const column of sealedColumns) expect(await rotateSealed(database.current, after, column)).toEqual({ resealed: 0, unreadable: 0 });
  });
});

describe('the rotation of keys', () => {
  it('reseals everything, so that the old key can be removed, and changes no content', async () => {
    const ids = await addTokens(before, 200);
    await rotateAll();
    const rows = await database.current.sql<
      { connection_id: string; access_token: Buffer; refresh_token: Buffer }[]
    >`SELECT * FROM connection_tokens`;
    expect(rows).toHaveLength(ids.length);
    for (const row of rows) {
      expect(withoutOld.open(row.access_token, context(row.connection_id))).toBe(`access ${row.connection_id}`);
      expect(withoutOld.open(row.refresh_token, context(row.connection_id))).toBe(`refresh ${row.connection_id}`);
    }
    expect(await sealedUses(database.current, accessColumn)).toEqual([
      { table: 'connection_tokens', column: 'access_token', keyId: 2, values: 200 },
    ]);
  });

  it('continues where it was interrupted, and does nothing when nothing is left to do', async () => {
    await addTokens(before, 50);
    const cut = new AbortController();
    cut.abort();
    expect(await rotateSealed(database.current, after, accessColumn, cut.signal)).toEqual({ resealed: 0, unreadable: 0 });
    expect(await rotateSealed(database.current, after, accessColumn)).toEqual({ resealed: 50, unreadable: 0 });
    await addTokens(before, 3);
    expect(await rotateSealed(database.current, after, accessColumn)).toEqual({ resealed: 3, unreadable: 0 });
    expect(await rotateSealed(database.current, after, accessColumn)).toEqual({ resealed: 0, unreadable: 0 });
  });

  it('never overwrites values stored meanwhile, even by processes that still seal with the old key', async () => {
    const ids = await addTokens(before, 60);
    const written = new Map<string, string>();
    let isOver = false;
    const writer = (async () => {
      for (let round = 0; !isOver; round++) {
        const id = ids[round % ids.length] as string;
        const text = `renewed ${round}`;
        await database.current
          .sql`UPDATE connection_tokens SET access_token = ${(round % 2 === 0 ? before : after).seal(text, context(id))} WHERE connection_id = ${id}`;
        written.set(id, text);
      }
    })();
    for (let i = 0; i < 5; i++) await rotateSealed(database.current, after, accessColumn);
    isOver = true;
    await writer;
    const rows = await database.current.sql<{ connection_id: string; access_token: Buffer }[]>`SELECT * FROM connection_tokens`;
    for (const row of rows)
      expect(after.open(row.access_token, context(row.connection_id))).toBe(
        written.get(row.connection_id) ?? `access ${row.connection_id}`,
      );
    await rotateAll();
    expect((await sealedUses(database.current, accessColumn)).map(({ keyId }) => keyId)).toEqual([2]);
  });

  it('leaves values unchanged that it cannot open, and completes the rest', async () => {
    await addTokens(before, 5);
    await addTokens(createCipher(new Map([[9, Buffer.alloc(32, 9)]])), 2);
    expect(await rotateSealed(database.current, after, accessColumn)).toEqual({ resealed: 5, unreadable: 2 });
    expect((await sealedUses(database.current, accessColumn)).map(({ keyId, values }) => [keyId, values])).toEqual([
      [2, 5],
      [9, 2],
    ]);
  });
});

describe('the operator’s command', () => {
  const run = async (name: string) => {
    const lines: string[] = [];
    const command = encryptionCommands.find((candidate) => candidate.name === name);
    const work = command?.run({ database: database.current, cipher: after, print: (line: string) => void lines.push(line) } as never, {
      positionals: [],
      options: {},
    });
    return { lines, error: await work?.then(() => null).catch((error: unknown) => error as Error) };
  };

  it('rotates and reports which keys are still in use', async () => {
    await addTokens(before, 4);
    expect((await run('encryption keys')).lines.at(-1)).toBe('In use: 1.');
    const { lines, error } = await run('encryption rotate');
    expect([error, lines.at(-1)]).toEqual([null, 'All values are encrypted with key 2. Older keys can be removed from ENCRYPTION_KEYS.']);
    expect((await run('encryption keys')).lines.at(-1)).toBe('In use: 2.');
  });

  it('fails with a clear message when a value keeps an old key', async () => {
    await addTokens(createCipher(new Map([[9, Buffer.alloc(32, 9)]])), 1);
    expect((await run('encryption rotate')).error?.message).toContain('keep keys 9');
  });
});
