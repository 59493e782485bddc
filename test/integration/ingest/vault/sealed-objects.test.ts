import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createCipher, rotateSealed, sealedUses } from '@pulsewire/database';
import { createIngest, ingestSealedColumns } from '@pulsewire/ingest';
import type { Connector, PullSpec, PushNotice } from '@pulsewire/providers';
import { useDatabase } from '../../../support/database.ts';
import { sendPush, stepsOf, withPush } from '../support/push-harness.ts';
import { renormaliseWith } from '../support/vault-harness.ts';
import { createHarness, samplesOf, today, windowsOf, type Linked, type Harness } from '../support/harness.ts';

const database = useDatabase();
let harness: Harness;
let linked: Linked;
let read: string[];
let connector: Connector;
const address = 'https://wristband.example/day?token=s3cret-t0ken';
const columns = ingestSealedColumns.filter(({ table }) => table === 'pull_windows' || table === 'push_bodies');
const [oldKey, newKey] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)];
const rotating = createCipher(
  new Map([
    [1, oldKey],
    [2, newKey],
  ]),
);
const withoutOld = createCipher(new Map([[2, newKey]]));

beforeEach(async () => {
  harness = await createHarness(database.current);
  await database.current.sql`TRUNCATE push_inbox, push_bodies, raw_answers`;
  read = [];
  const pullObject: PullSpec['pullObject'] = async function* ({ http, objectId }) {
    read.push(objectId);
    const { version } = await http.get(objectId);
    yield { version, records: [stepsOf(today, 5)], quarantined: [] };
  };
  connector = withPush(harness, {}, { pulls: harness.wristband.connector.pulls.map((pull) => ({ ...pull, pullObject })) });
  linked = await harness.link({ scopes: ['scale'], ingestionStart: today });
  await workerWith(harness.options.cipher).drain();
});
afterEach(() => harness.close());

const workerWith = (cipher: typeof harness.options.cipher) => createIngest({ ...harness.options, cipher, connectorFor: () => connector });
const ping = (objectId = address): PushNotice => ({
  kind: 'object',
  providerUserId: linked.providerUserId,
  collection: 'body',
  objectId,
  isSecret: true,
});
const named = async () =>
  (await windowsOf(database.current, linked.connectionId)).filter(({ start_date: day, runs }) => day === today && runs > 0);

describe('an object whose id is a credential', () => {
  test('is read at its address once, however often it is named, and the address is stored only sealed', async () => {
    const ingest = workerWith(harness.options.cipher);
    for (let time = 0; time < 3; time++) await sendPush(database.current, harness, connector, [ping(), ping(`${address}2`)]);
    await ingest.drain();
    expect(read.toSorted()).toEqual([address, `${address}2`]);
    expect(await samplesOf(database.current, linked.userId)).toBeGreaterThan(0);
    const rows = await database.current.sql<{ text: string }[]>`
      SELECT w::text AS text FROM pull_windows w UNION ALL SELECT p::text FROM push_inbox p UNION ALL SELECT encode(body, 'escape') FROM push_bodies`;
    expect(rows.length).toBeGreaterThan(6);
    const hidden = [address, Buffer.from(address).toString('hex'), 's3cret', Buffer.from('s3cret').toString('hex')];
    for (const { text } of rows) expect(hidden.some((word) => text.includes(word))).toBe(false);
  });

  test('cannot be opened for another connection', async () => {
    await sendPush(database.current, harness, connector, [ping()]);
    const other = await harness.link({ scopes: ['scale'], ingestionStart: today });
    const stop = { ...connector, pulls: connector.pulls.map((pull) => ({ ...pull, collections: [] })) };
    await createIngest({ ...harness.options, connectorFor: () => stop }).drain();
    read = [];
    await sendPush(database.current, harness, connector, [ping()]);
    const broken = {
      ...harness.options.cipher,
      openBytes: (sealed: Buffer, context: string) =>
        harness.options.cipher.openBytes(sealed, context.replace(linked.connectionId, other.connectionId)),
    };
    await workerWith(broken).drain();
    expect(read).toEqual([]);
    expect((await named()).length).toBeGreaterThan(0);
    const [window] = await database.current.sql`SELECT error_code FROM pull_windows WHERE object_sealed IS NOT NULL`;
    expect(window).toEqual({ error_code: 'cipher_broken' });
  });

  test('survives the rotation of keys, as do the push that named it and its data in the vault', async () => {
    await sendPush(database.current, harness, connector, [ping()]);
    for (const column of columns) expect((await rotateSealed(database.current, rotating, column)).unreadable).toBe(0);
    await workerWith(withoutOld).drain();
    expect(read).toEqual([address]);
    // The push named it again before the keys were changed back and forth, so it is sealed with the old one now.
    await sendPush(database.current, harness, connector, [ping()]);
    await workerWith(rotating).drain();
    for (const column of columns) {
      await rotateSealed(database.current, rotating, column);
      expect(await sealedUses(database.current, column)).toEqual([expect.objectContaining({ keyId: 2 })]);
    }
    for (const column of ingestSealedColumns) await rotateSealed(database.current, rotating, column);
    read = [];
    const tally = await renormaliseWith(database.current, connector, {}, withoutOld);
    expect(tally).toMatchObject({ notInVault: 0, failed: new Map() });
    expect(new Set(read)).toEqual(new Set([address]));
  });
});
