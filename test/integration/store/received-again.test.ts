import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Sample } from '@pulsewire/contract';
import { withEvents } from '@pulsewire/eventlog';
import { drawVersion, writeRecords, type RecordOwner } from '@pulsewire/store';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();
const startMs = Date.UTC(2026, 0, 5);
const source = { provider: 'fitbit', type: 'watch' };
const count = 1000;

const minutes = (change: (index: number) => Partial<Sample> = () => ({})): Sample[] =>
  Array.from({ length: count }, (_, index) => ({
    ts: startMs + index * 60_000,
    value: 60 + index / 7,
    timezoneOffset: 3600,
    ...change(index),
  }));

/** Writes samples as a later response than all before it, or under an earlier version, and returns the counts. */
async function write(owner: RecordOwner, samples: readonly Sample[], version?: bigint) {
  const drawn = version ?? (await drawVersion(database.current));
  const records = [{ kind: 'samples' as const, resource: 'heartrate', source, samples }];
  const written = await withEvents(database.current, (tx, emit) =>
    writeRecords(tx, emit, { owner, version: drawn, origin: 'live', sourceId: 3, traceId: null, records }),
  );
  return { created: written.samplesCreated, updated: written.samplesUpdated };
}

const newOwner = (): RecordOwner => ({ teamId: randomUUID(), userId: randomUUID(), clientUserId: 'someone' });

describe('samples that are received again', () => {
  test('change nothing when they are equal, to the last digit', async () => {
    const owner = newOwner();
    const values = [0.1 + 0.2, 1e21, 1e-7, -0, Number.MAX_VALUE, Number.MIN_VALUE];
    const samples = minutes((index) => ({
      value: values[index] ?? index,
      ...(index % 3 === 0 && { end: startMs + index * 60_000 + 59_001 }),
    }));
    expect(await write(owner, samples)).toEqual({ created: count, updated: 0 });
    expect(await write(owner, samples)).toEqual({ created: 0, updated: 0 });
  });

  test('replace each that differs in value, end, offset or fields, and fill gaps and both ends', async () => {
    const owner = newOwner();
    const isGap = (index: number) => index === 0 || index === 500 || index === count - 1;
    await write(
      owner,
      minutes().filter((_, index) => !isGap(index)),
    );
    const changes: Readonly<Record<number, Partial<Sample>>> = {
      10: { value: 1 },
      20: { value2: 5 },
      30: { end: startMs + 31 * 60_000 },
      40: { timezoneOffset: null },
      50: { timezoneOffset: 7200 },
      60: { extra: { note: 'after a run' } },
    };
    const changed = minutes((index) => changes[index] ?? {});
    expect(await write(owner, changed)).toEqual({ created: 3, updated: 6 });
    expect(await write(owner, changed)).toEqual({ created: 0, updated: 0 });
  });

  test('are found when a few of them span a range of many others', async () => {
    const owner = newOwner();
    await write(owner, minutes());
    const few = minutes().filter((_, index) => index === 0 || index === 400 || index === count - 1);
    expect(await write(owner, few)).toEqual({ created: 0, updated: 0 });
    expect(
      await write(
        owner,
        few.map((sample) => ({ ...sample, value: 1 })),
      ),
    ).toEqual({ created: 0, updated: 3 });
  });

  test('do not replace rows that were received later, only earlier ones', async () => {
    const owner = newOwner();
    await write(owner, minutes());
    const early = await drawVersion(database.current);
    await write(owner, [{ ts: startMs + 60_000, value: 999, timezoneOffset: 3600 }]);
    expect(
      await write(
        owner,
        minutes(() => ({ value: 5 })),
        early,
      ),
    ).toEqual({ created: 0, updated: count - 1 });
  });
});
