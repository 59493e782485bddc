import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import type { CanonicalRecord } from '@pulsewire/contract';
import { connectionForPull } from '@pulsewire/connections';
import { withEvents } from '@pulsewire/eventlog';
import { noMetrics, hourMs, silentLogger } from '@pulsewire/kernel';
import { admitOtherWrite, createIngest, defaultSettings, planDuePulls, readResponsesOfDay, type IngestContext } from '@pulsewire/ingest';
import type { Connector } from '@pulsewire/providers';
import { drawVersion, lockRecords } from '@pulsewire/store';
import { writePushed } from '../../../packages/ingest/src/push/apply/write-pushed.ts';
import { useDatabase } from '../../support/database.ts';
import { cipher, createHarness, samplesOf, today, type Harness, type Linked } from './support/harness.ts';
import { renormaliseWith } from './support/vault-harness.ts';

const database = useDatabase({ connectionsMax: 6 });
const yesterday = '2026-03-19';

let harness: Harness;
let linked: Linked;
/** Windows that ended because their responses were equal to the last ones. */
let unchanged = 0;

const metrics: typeof noMetrics = {
  ...noMetrics,
  count(name) {
    if (name === 'ingest_unchanged_windows_total') unchanged += 1;
  },
};

beforeEach(async () => {
  harness = await createHarness(database.current);
  linked = await harness.link();
  unchanged = 0;
  await drain();
});
afterEach(() => harness.close());

async function drain(connector: Connector = harness.wristband.connector): Promise<void> {
  const connectorFor = (slug: string) => (slug === 'wristband' ? connector : undefined);
  await planDuePulls({ ...harness.plan, connectorFor, database: database.current, logger: silentLogger });
  await createIngest({ ...harness.options, connectorFor, metrics }).drain();
}

async function poll(connector?: Connector): Promise<void> {
  harness.clock.advance(hourMs);
  await drain(connector);
}

/** Polls until every reading was seen to change nothing. */
async function settle(): Promise<void> {
  for (let count = 0; count < 3; count++) await poll();
  unchanged = 0;
}

interface Stored {
  readonly responses: number;
  readonly receipts: number;
  readonly events: number;
  readonly windows: number;
}

async function stored(): Promise<Stored> {
  const [row] = await database.current.sql<Stored[]>`
    SELECT (SELECT count(*)::int FROM raw_answers) AS responses, (SELECT count(*)::int FROM sample_receipts) AS receipts,
      (SELECT count(*)::int FROM log_events) AS events, (SELECT count(*)::int FROM pull_windows) AS windows`;
  if (!row) throw new Error('No counts');
  return row;
}

const sampleAt = (day: string, value: number): CanonicalRecord => ({
  kind: 'samples',
  resource: 'steps',
  source: { provider: 'wristband', type: 'watch' },
  samples: [{ ts: Date.parse(day), end: Date.parse(day) + 60_000, value, timezoneOffset: 0 }],
});
const removalAt = (day: string): CanonicalRecord => ({
  kind: 'sample_removal',
  resource: 'steps',
  source: { provider: 'wristband', type: 'watch' },
  ts: [Date.parse(day)],
});

/** Applies pushed records under the version at which they were received, as the worker of pushes does. */
async function push(records: readonly CanonicalRecord[], version: bigint): Promise<void> {
  const { options, wristband } = harness;
  const connection = await connectionForPull(database.current, linked.connectionId);
  if (!connection) throw new Error('No connection');
  const context = { ...options, metrics, settings: defaultSettings } as unknown as IngestContext;
  await withEvents(database.current, async (tx, emit) => {
    await lockRecords(tx, linked.userId);
    const pushed = [{ collection: 'activity', mapped: { records, quarantined: [] } }];
    await writePushed(context, tx, emit, { connection, connector: wristband.connector }, pushed, version);
  });
}

async function valueAt(day: string): Promise<number | null> {
  const [row] = await database.current.sql<{ value: number }[]>`
    SELECT value::float8 AS value FROM all_samples JOIN sources USING (user_source_id) JOIN series USING (series)
    WHERE user_id = ${linked.userId} AND resource = 'steps' AND ts = ${`${day}T00:00:00Z`}`;
  return row?.value ?? null;
}

test('a poll that brings nothing stores no response, no receipt and no event, and adds no window', async () => {
  await settle();
  const before = await stored();
  const calls = harness.wristband.calls.length;
  await poll();
  expect(unchanged).toBeGreaterThan(0);
  expect(harness.wristband.calls.length).toBeGreaterThan(calls);
  expect(await stored()).toEqual(before);
  const open = await database.current.sql`SELECT 1 FROM pull_windows WHERE state <> 'done'`;
  expect(open).toHaveLength(0);
});

test('the response of an unchanged poll is still found for its day, from when it was stored', async () => {
  await settle();
  await poll();
  const { teamId, userId } = linked;
  const query = { teamId, userId, day: today, pulls: ['moves'], versions: [] };
  const kept = await readResponsesOfDay({ database: database.current, cipher }, query);
  expect(kept.at(-1)?.responses?.[0]).toMatchObject({ status: 200, errorCode: null });
});

test('a changed response is stored, with one request for each response', async () => {
  await settle();
  harness.wristband.setValue('moves', today, 321);
  const before = harness.wristband.calls.length;
  await poll();
  expect(await valueAt(today)).toBe(321);
  const paths = harness.wristband.calls.slice(before).map(({ path }) => path);
  expect(paths).toHaveLength(new Set(paths).size);
});

describe('an equal reading', () => {
  const cases: Readonly<Record<string, () => Promise<Connector | undefined>>> = {
    async 'when the connector was exchanged'() {
      const { connector } = harness.wristband;
      return { ...connector, pulls: connector.pulls.map((pull) => ({ ...pull })) };
    },
    async 'when the facts of the account changed, such as its time zone'() {
      await database.current
        .sql`UPDATE connections SET account = '{"time_zone":"Asia/Tokyo"}' WHERE connection_id = ${linked.connectionId}`;
      return undefined;
    },
    async "when the user's bounds changed"() {
      await database.current.sql`UPDATE users SET ingestion_start = '2026-03-01' WHERE user_id = ${linked.userId}`;
      return undefined;
    },
    async 'when the team enables raw data'() {
      await database.current.sql`UPDATE teams SET provider_raw_data = NOT provider_raw_data WHERE team_id = ${linked.teamId}`;
      return undefined;
    },
    async 'when a push has changed a record'() {
      await push([sampleAt(yesterday, 77)], await drawVersion(database.current));
      return undefined;
    },
    async 'when a push has removed a record'() {
      await push([removalAt(yesterday)], await drawVersion(database.current));
      return undefined;
    },
    async "when the team's own app has changed a record"() {
      await database.current.transaction((tx) => admitOtherWrite(tx, linked, 0n));
      await database.current.sql`UPDATE samples SET value = 5 WHERE ts = ${`${yesterday}T00:00:00Z`}`;
      return undefined;
    },
    async 'when the vault was renormalised'() {
      await renormaliseWith(database.current, harness.wristband.connector);
      return undefined;
    },
    async 'after a day'() {
      await database.current.sql`UPDATE pull_windows SET reading_at = reading_at - interval '1 day'`;
      return undefined;
    },
    async 'when a process of the version before has read the window'() {
      await database.current.sql`UPDATE pull_windows SET runs = runs + 1 WHERE lane = 'live'`;
      return undefined;
    },
  };
  it.for(Object.keys(cases))('is mapped and compared again %s', async (name) => {
    await settle();
    const expected = await valueAt(yesterday);
    const connector = await cases[name]?.();
    const before = (await stored()).responses;
    await poll(connector);
    expect((await stored()).responses).toBeGreaterThan(before);
    // Whatever another path has stored or removed, what the provider says now counts.
    expect(await valueAt(yesterday)).toBe(expected);
  });
});

test('what was received again wins over what was received before it and is applied later', async () => {
  await settle();
  const expected = await valueAt(today);
  const version = await drawVersion(database.current);
  await poll();
  expect(unchanged).toBeGreaterThan(0);
  await push([sampleAt(today, 999)], version);
  expect(await valueAt(today)).toBe(expected);
});

test('a corrected mapper applies to a response that was seen again, whatever older push was applied since', async () => {
  await settle();
  const expected = await valueAt(today);
  const version = await drawVersion(database.current);
  await poll();
  await push([sampleAt(today, 999)], version);
  const { connector } = harness.wristband;
  const raised = (records: readonly CanonicalRecord[]) =>
    records.map((record) =>
      record.kind === 'samples'
        ? { ...record, samples: record.samples.map((sample) => ({ ...sample, value: (sample.value ?? 0) + 1000 })) }
        : record,
    );
  const pulls = connector.pulls.map((spec) => ({
    ...spec,
    async *pull(context: Parameters<typeof spec.pull>[0]) {
      for await (const page of spec.pull(context)) yield { ...page, records: raised(page.records) };
    },
  }));
  await renormaliseWith(database.current, { ...connector, pulls });
  expect(await valueAt(today)).toBe((expected ?? 0) + 1000);
});

type Step =
  | { readonly kind: 'poll' }
  | { readonly kind: 'revise' | 'receive'; readonly day: string; readonly value: number }
  | { readonly kind: 'receiveRemoval'; readonly day: string }
  | { readonly kind: 'apply'; readonly place: number };

const day = fc.constantFrom(today, yesterday);
const value = fc.integer({ min: 1, max: 3 });
const poll1 = fc.constant({ kind: 'poll' } as const);
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    poll1,
    poll1,
    poll1,
    fc.record({ kind: fc.constantFrom('revise' as const, 'receive' as const), day, value }),
    fc.record({ kind: fc.constant('receiveRemoval' as const), day }),
    fc.record({ kind: fc.constant('apply' as const), place: fc.nat(3) }),
  ),
  { minLength: 4, maxLength: 12 },
);

test('any order of polls, revisions and late pushes stores of each sample the value received last', async () => {
  let seen = 0;
  const property = fc.asyncProperty(steps, async (taken) => {
    await harness.close();
    harness = await createHarness(database.current);
    linked = await harness.link({ ingestionStart: yesterday });
    /** By day the value received last, null when its removal was, with the order in which it was received. */
    const latest = new Map<string, { readonly order: number; readonly value: number | null }>();
    let order = 0;
    const note = (ofDay: string, at: number, received: number | null) => {
      if ((latest.get(ofDay)?.order ?? -1) < at) latest.set(ofDay, { order: at, value: received });
    };
    harness.wristband.onCall = ({ path, day: ofDay }) => {
      if (path.startsWith('/moves/')) note(ofDay, (order += 1), harness.wristband.valueOf('moves', ofDay));
    };
    const waiting: {
      readonly record: CanonicalRecord;
      readonly version: bigint;
      readonly order: number;
      readonly day: string;
      readonly value: number | null;
    }[] = [];
    await drain();
    for (let count = 0; count < 3; count++) await poll();
    unchanged = 0;
    for (const step of taken) {
      if (step.kind === 'poll') await poll();
      else if (step.kind === 'revise') harness.wristband.setValue('moves', step.day, step.value);
      else if (step.kind === 'apply') {
        const [applied] = waiting.splice(step.place % Math.max(1, waiting.length), 1);
        if (!applied) continue;
        await push([applied.record], applied.version);
        note(applied.day, applied.order, applied.value);
      } else {
        const received = step.kind === 'receive' ? step.value : null;
        const record = received === null ? removalAt(step.day) : sampleAt(step.day, received);
        waiting.push({ record, version: await drawVersion(database.current), order: (order += 1), day: step.day, value: received });
      }
      for (const [ofDay, { value: expected }] of latest) expect(await valueAt(ofDay), `${ofDay} after ${step.kind}`).toBe(expected);
    }
    seen += unchanged;
    expect(await samplesOf(database.current, linked.userId)).toBeGreaterThan(0);
  });
  const late: readonly Step[] = [
    { kind: 'receive', day: today, value: 1 },
    { kind: 'poll' },
    { kind: 'apply', place: 0 },
    { kind: 'poll' },
  ];
  await fc.assert(property, { numRuns: 15, examples: [[late]] });
  expect(seen).toBeGreaterThan(10);
}, 120_000);
