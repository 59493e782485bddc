import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Sample } from '@pulsewire/contract';
import { withEvents } from '@pulsewire/eventlog';
import { packSamples, writeRecords } from '@pulsewire/store';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();
const startMs = Date.UTC(2026, 0, 5);
const at = (index: number, stepMs: number) => startMs + index * stepMs;
const list = (count: number, sample: (index: number) => Sample) => Array.from({ length: count }, (_, index) => sample(index));

/** One day of samples for each form of a piece. */
const cases: Readonly<Record<string, readonly Sample[]>> = {
  'equal minutes': list(9, (n) => ({ ts: at(n, 60_000), end: at(n + 1, 60_000), value: 7, timezoneOffset: 3600 })),
  'irregular seconds': list(9, (n) => ({ ts: at(n * n, 1000), value: 60 + ((n * 7) % 5) / 10, timezoneOffset: null })),
  'milliseconds and long gaps': list(9, (n) => ({ ts: at(n * n, 1_000_003), value: n * 1000, timezoneOffset: n % 2 === 0 ? 0 : 3600 })),
  'large values': list(9, (n) => ({ ts: at(n, 60_000), value: n * 1_000_000.25, timezoneOffset: 0 })),
  'values without a scale': list(9, (n) => ({ ts: at(n, 60_000), value: n === 3 ? null : Math.sqrt(n), value2: n / 3, timezoneOffset: 0 })),
  'fields and lengths': list(9, (n) => ({
    ts: at(n, 60_000),
    end: at(n, 60_000) + n * 1000,
    value: n,
    timezoneOffset: 0,
    extra: { place: n },
  })),
};

const golden = JSON.parse(readFileSync(new URL('golden/pieces.json', import.meta.url), 'utf8')) as Readonly<Record<string, object>>;
const keys = ['user_source_id', 'series', 'context_id', 'version'];

async function write(samples: readonly Sample[]): Promise<number> {
  const owner = { teamId: randomUUID(), userId: randomUUID(), clientUserId: 'someone' };
  const source = { provider: 'fitbit', type: 'watch' };
  const records = [{ kind: 'samples' as const, resource: 'heartrate', source, samples }];
  await withEvents(database.current, (tx, emit) =>
    writeRecords(tx, emit, { owner, version: 5n, origin: 'live', sourceId: 3, traceId: null, records }),
  );
  const [row] = await database.current.sql<{ id: number }[]>`SELECT user_source_id AS id FROM sources WHERE user_id = ${owner.userId}`;
  return row?.id ?? 0;
}

const stored = (id: number) =>
  database.current.sql`SELECT s.*, s.ts::text, s.end_ts::text FROM all_samples s WHERE user_source_id = ${id} ORDER BY s.ts`;

/** The columns of a piece that are set, as JSON writes them. */
async function pieceOf(id: number): Promise<Record<string, unknown>> {
  const [row] = await database.current.sql<{ piece: Record<string, unknown> }[]>`
    SELECT jsonb_strip_nulls(to_jsonb(p) || jsonb_build_object('steps1', p.steps1::int[], 'values1', p.values1::int[])) AS piece
    FROM sample_pieces p WHERE user_source_id = ${id}`;
  return Object.fromEntries(Object.entries(row?.piece ?? {}).filter(([key]) => !keys.includes(key)));
}

test.each(Object.keys(cases))('format 1 is as documented, and is read as the rows were: %s', async (name) => {
  const id = await write(cases[name] ?? []);
  const before = await stored(id);
  await packSamples(database.current, { before: '2027-01-01' }, new AbortController().signal);
  expect(await pieceOf(id)).toEqual(golden[name]);
  expect([...(await stored(id))]).toEqual([...before]);
});

test('a piece of an unknown format is refused by the database, with the name of the rule', async () => {
  await expect(database.current.sql`
    INSERT INTO sample_pieces (user_source_id, series, format, from_ts, to_ts, count, tick_ms) VALUES (1, 1, 2, now(), now(), 1, 1)`).rejects.toThrow(
    'sample_pieces_format_known',
  );
});
