import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { CanonicalRecord } from '@pulsewire/contract';
import { createCipher, rotateSealed } from '@pulsewire/database';
import { withEvents } from '@pulsewire/eventlog';
import {
  endRawForms,
  eraseRecords,
  readRawDevices,
  scanRawEntries,
  storeSealedColumns,
  writeDevices,
  writeRecords,
  type RecordOwner,
} from '@pulsewire/store';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();
const cipherOf = (...ids: number[]) => createCipher(new Map(ids.map((id) => [id, Buffer.alloc(32, id)])));
const cipher = cipherOf(1);
const newOwner = (): RecordOwner => ({ teamId: randomUUID(), userId: randomUUID(), clientUserId: 'someone' });

const activity = (id: string, data: unknown, steps = 5, resource = 'activity'): CanonicalRecord => ({
  kind: 'summary',
  id,
  resource,
  source: { provider: 'fitbit', type: 'watch' },
  calendarDate: '2026-01-05',
  at: Date.UTC(2026, 0, 5),
  data: { steps },
  raw: { externalId: '2026-01-05', data },
});

async function write(owner: RecordOwner, version: number, records: readonly CanonicalRecord[], isWanted = true) {
  const rawCipher = isWanted ? cipher : undefined;
  return withEvents(database.current, (tx, emit) =>
    writeRecords(tx, emit, { owner, version: BigInt(version), origin: 'live', sourceId: 3, traceId: null, records, rawCipher }),
  );
}

async function stored(owner: Pick<RecordOwner, 'teamId' | 'userId'>, opener = cipher): Promise<unknown[]> {
  const { teamId, userId } = owner;
  const query = { teamId, userId, resource: 'activity', window: { by: 'all' } } as const;
  const entries = [];
  for await (const page of scanRawEntries(database.current, opener, query, (read) => read())) entries.push(...page);
  return entries.map(({ data }) => data);
}

test('the raw form received last wins in any order, even where the summary is the same', async () => {
  const [owner, id] = [newOwner(), randomUUID()];
  await write(owner, 1, [activity(id, { steps: 5, at: 1 })]);
  await write(owner, 3, [activity(id, { steps: 5, at: 3 })]);
  await write(owner, 3, [activity(id, { steps: 5, at: 3 })]);
  await write(owner, 2, [activity(id, { steps: 5, at: 2 })]);
  expect(await stored(owner)).toEqual([{ steps: 5, at: 3 }]);
});

test('an equal raw form is not written again', async () => {
  const [owner, id] = [newOwner(), randomUUID()];
  const bodyOf = async () =>
    (await database.current.sql<{ body: Buffer }[]>`SELECT body FROM raw_entries WHERE summary_id = ${id}`)[0]?.body;
  await write(owner, 1, [activity(id, { steps: 5 })]);
  const before = await bodyOf();
  await write(owner, 2, [activity(id, { steps: 5 })]);
  expect(await bodyOf()).toEqual(before);
});

test('nothing is stored for a team with raw data disabled, or for resources that have none', async () => {
  const owner = newOwner();
  await write(owner, 1, [activity(randomUUID(), { steps: 5 })], false);
  await write(owner, 2, [activity(randomUUID(), { steps: 5 }, 5, 'sleep_cycle')]);
  expect((await database.current.sql`SELECT 1 FROM raw_entries WHERE user_id = ${owner.userId}`).length).toBe(0);
});

test('raw forms are sealed, and are removed with their summary or user', async () => {
  const [owner, removed, kept] = [newOwner(), randomUUID(), randomUUID()];
  await write(owner, 1, [activity(removed, { secret: 'removed' }), activity(kept, { secret: 'kept' })]);
  const rows = await database.current.sql<{ body: Buffer }[]>`SELECT body FROM raw_entries WHERE user_id = ${owner.userId}`;
  expect(rows.map(({ body }) => body.includes('secret'))).toEqual([false, false]);
  await write(owner, 2, [{ kind: 'summary_removal', resource: 'activity', id: removed }]);
  expect(await stored(owner)).toEqual([{ secret: 'kept' }]);
  await database.current.transaction((tx) => eraseRecords(tx, owner));
  expect((await database.current.sql`SELECT 1 FROM raw_entries WHERE user_id = ${owner.userId}`).length).toBe(0);
});

test('a raw form that is too long removes the stored one, and the summary is stored', async () => {
  const [owner, id] = [newOwner(), randomUUID()];
  await write(owner, 1, [activity(id, { text: 'short' })]);
  const { summariesUpdated } = await write(owner, 2, [activity(id, { text: 'x'.repeat(1_100_000) }, 6)]);
  expect([summariesUpdated, await stored(owner)]).toEqual([1, []]);
});

test('a summary without a raw form removes the stored one, unless it was received earlier', async () => {
  const [owner, id] = [newOwner(), randomUUID()];
  const { raw: _raw, ...bare } = activity(id, {}, 6) as CanonicalRecord & { readonly raw?: unknown };
  await write(owner, 2, [activity(id, { steps: 5 })]);
  await write(owner, 1, [bare]);
  expect(await stored(owner)).toEqual([{ steps: 5 }]);
  await write(owner, 3, [bare]);
  expect(await stored(owner)).toEqual([]);
});

test('all raw forms of a window are read in order, however long they are', async () => {
  const owner = newOwner();
  const text = (index: number) => randomBytes(index % 7 === 0 ? 300_000 : 100).toString('base64');
  const data = Array.from({ length: 45 }, (_, index) => ({ index, text: text(index) }));
  const records = data.map((one, index) => ({ ...activity(randomUUID(), one), at: Date.UTC(2026, 0, 1 + index) }));
  await write(owner, 1, records);
  expect(await stored(owner)).toEqual(data);
});

test('disabling raw forms removes those of the team, and of no other team', async () => {
  const [owner, other] = [newOwner(), newOwner()];
  const device = {
    id: randomUUID(),
    sourceType: 'watch',
    manufacturer: null,
    model: 'A',
    version: null,
    externalId: 'x',
    raw: { id: 'x' },
  };
  const withDevice = { ...activity(randomUUID(), { steps: 5 }), source: { provider: 'fitbit', type: 'watch', device } } as CanonicalRecord;
  await write(owner, 1, [withDevice, activity(randomUUID(), { steps: 6 })]);
  await write(other, 1, [activity(randomUUID(), { steps: 7 })]);
  expect(await endRawForms(database.current, owner.teamId)).toBe(3);
  expect([await stored(owner), await stored(other)]).toEqual([[], [{ steps: 7 }]]);
  expect(await readRawDevices(database.current, cipher, { ...owner, provider: '' })).toEqual([]);
});

test('raw forms keep characters that Postgres cannot store as text', async () => {
  const [owner, id] = [newOwner(), randomUUID()];
  const data = { name: 'a\0b\ud800', list: [1, null, { deep: true }] };
  await write(owner, 1, [activity(id, data)]);
  expect(await stored(owner)).toEqual([data]);
});

test('the list of a provider replaces the raw form of a device, a record only adds a missing one', async () => {
  const owner = newOwner();
  const id = randomUUID();
  const device = { id, sourceType: 'watch', manufacturer: null, model: 'A', version: null, externalId: 'x' };
  const see = (isList: boolean, raw: Readonly<Record<string, unknown>>) =>
    withEvents(database.current, async (tx, emit) => {
      let events = 0;
      const count = (event: Parameters<typeof emit>[0]) => {
        events += 1;
        emit(event);
      };
      await writeDevices(tx, count, { owner, provider: 'polar', traceId: null, isList, rawCipher: cipher }, [{ ...device, raw }]);
      return events;
    });
  const read = async () => (await readRawDevices(database.current, cipher, { ...owner, provider: '' })).map(({ data }) => data);
  expect([await see(false, { device_id: 'x' }), await read()]).toEqual([1, [{ device_id: 'x' }]]);
  expect([await see(false, { device_id: 'y' }), await read()]).toEqual([0, [{ device_id: 'x' }]]);
  expect([await see(true, { id: 'x', type: 'T' }), await read()]).toEqual([0, [{ id: 'x', type: 'T' }]]);
  expect(await readRawDevices(database.current, cipher, { ...owner, teamId: randomUUID(), provider: '' })).toEqual([]);
});

test('a rotation of keys seals raw forms again, and they can be read with the new key alone', async () => {
  const owner = newOwner();
  await write(owner, 1, [activity(randomUUID(), { steps: 5 })]);
  for (const column of storeSealedColumns) {
    expect((await rotateSealed(database.current, cipherOf(1, 2), column)).unreadable).toBe(0);
  }
  expect(await stored(owner, cipherOf(2))).toEqual([{ steps: 5 }]);
});
