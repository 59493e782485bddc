import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { CanonicalRecord } from '@pulsewire/contract';
import { withEvents } from '@pulsewire/eventlog';
import { eraseRecords, eraseSamples, writeRecords } from '@pulsewire/store';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();
const source = { provider: 'fitbit', type: 'watch' };
const newOwner = () => ({ teamId: randomUUID(), userId: randomUUID(), clientUserId: 'someone' });
const write = (owner: ReturnType<typeof newOwner>, version: bigint, ...records: CanonicalRecord[]) =>
  withEvents(database.current, (tx, emit) =>
    writeRecords(tx, emit, { owner, version, origin: 'live', sourceId: 3, traceId: null, records }),
  );
const steps: CanonicalRecord = {
  kind: 'samples',
  resource: 'steps',
  source,
  samples: Array.from({ length: 95 }, (_, minute) => ({ ts: minute * 60_000, value: 1, timezoneOffset: 0 })),
};
const samplesOf = async (userId: string) =>
  (await database.current.sql`SELECT 1 FROM all_samples JOIN sources USING (user_source_id) WHERE user_id = ${userId}`).length;

test("erases one user's samples in bounded batches, and resumes after an interruption", async () => {
  const [owner, other] = [newOwner(), newOwner()];
  for (const whose of [owner, other]) await write(whose, 1n, steps);
  expect(await eraseSamples(database.current, owner, AbortSignal.abort(), 10)).toBe(0);
  expect(await eraseSamples(database.current, owner, new AbortController().signal, 10)).toBe(95);
  expect([await samplesOf(owner.userId), await samplesOf(other.userId)]).toEqual([0, 95]);
});

test('returns the ids of erased summaries, including those that the provider had removed before', async () => {
  const owner = newOwner();
  const id = randomUUID();
  await write(owner, 1n, { kind: 'summary', id, resource: 'workouts', source, calendarDate: '2026-01-05', at: 0, data: {} });
  await write(owner, 2n, { kind: 'summary_removal', resource: 'workouts', id });
  const { summaryIds } = await database.current.transaction((tx) => eraseRecords(tx, owner));
  expect(summaryIds).toEqual([id]);
});
