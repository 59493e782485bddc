import type { Database } from '@pulsewire/database';
import type { Connector } from '@pulsewire/providers';
import type { PersonDay, SimulatedAccount } from '@pulsewire/sandbox';
import type { ConformanceHarness } from '../../integration/providers/conformance/harness.ts';
import { linesOf, summariesOf, type StoredSummary } from '../../integration/providers/conformance/stored.ts';

/** How many of the expected records are stored. */
export interface Judgement {
  readonly expected: number;
  readonly found: number;
  /** The first that are missing. */
  readonly missing: readonly string[];
}

interface Linked {
  readonly userId: string;
  readonly account: SimulatedAccount;
}

type Range = readonly [first: string, last: string];

const missingMax = 10;

function judge(expected: readonly string[], stored: ReadonlySet<string>): Judgement {
  const missing = expected.filter((line) => !stored.has(line) && !stored.has(line.replace(/ \S+$/, ' null')));
  return { expected: expected.length, found: expected.length - missing.length, missing: missing.slice(0, missingMax) };
}

function add(parts: readonly Judgement[]): Judgement {
  const sum = (of: (part: Judgement) => number) => parts.reduce((total, part) => total + of(part), 0);
  return {
    expected: sum(({ expected }) => expected),
    found: sum(({ found }) => found),
    missing: parts.flatMap(({ missing }) => missing).slice(0, missingMax),
  };
}

const ms = (text: unknown): number => (typeof text === 'string' ? Date.parse(text) : Number.NaN);

/**
 * What a whole day of a person must leave behind: a line for each night, workout and day of activity, with its times. Some providers state
 * no steps, so `null` in their place is right.
 */
const expectations: Readonly<
  Record<string, { readonly of: (day: PersonDay) => readonly string[]; readonly line: (row: StoredSummary) => string }>
> = {
  sleep: {
    of: ({ date, sleeps }) => sleeps.map(({ startMs, endMs }) => `sleep ${date} ${startMs} ${endMs}`),
    line: ({ calendar_date: day, data }) => `sleep ${day} ${ms(data['bedtime_start'])} ${ms(data['bedtime_stop'])}`,
  },
  workouts: {
    of: ({ date, workouts }) => workouts.map(({ startMs, endMs }) => `workouts ${date} ${startMs} ${endMs}`),
    line: ({ calendar_date: day, data }) => `workouts ${day} ${ms(data['time_start'])} ${ms(data['time_end'])}`,
  },
  activity: {
    of: ({ date, steps }) => [`activity ${date} ${steps}`],
    line: ({ calendar_date: day, data }) => `activity ${day} ${String(data['steps'])}`,
  },
};

/** Compares what is stored with the simulated people. Providers with recorded people have no expectations. */
export async function judgeAgainstTruth(
  database: Database,
  { resources }: Connector,
  members: readonly Linked[],
  [first, last]: Range,
): Promise<Judgement> {
  const parts: Judgement[] = [];
  for (const { userId, account } of members) {
    const days = (account.truth?.days(first, last) ?? []).filter(({ isComplete }) => isComplete);
    const rows = await summariesOf(database, userId);
    for (const [resource, { of, line }] of Object.entries(expectations)) {
      if (!Object.hasOwn(resources, resource)) continue;
      parts.push(judge(days.flatMap(of), new Set(rows.filter((row) => row.resource === resource).map(line))));
    }
  }
  return add(parts);
}

/**
 * Compares what the month has left with a second user of the same account, read once at the end without failures: every resource and
 * series, on the whole days of the month that the provider still returns. Some facts, such as the weight in a profile, have the day on
 * which they were read, which is the last one.
 */
export async function judgeAgainstReading(
  database: Database,
  harness: ConformanceHarness,
  members: readonly Linked[],
  [first, last]: Range,
  settle: () => Promise<void>,
): Promise<Judgement> {
  const parts: Judgement[] = [];
  const [fromMs, toMs] = [Date.parse(`${first}T00:00:00Z`), Date.parse(`${last}T24:00:00Z`)];
  const isOfMonth = (line: string): boolean => {
    const { at_ms: atMs, ts_ms: tsMs } = JSON.parse(line) as { at_ms?: number; ts_ms?: number };
    const at = atMs ?? tsMs ?? 0;
    return at >= fromMs && at < toMs;
  };
  for (const { userId, account } of members) {
    const second = await harness.linkPatiently(account);
    await settle();
    await harness.drainAll();
    const expected = (await linesOf(database, second.userId)).filter(isOfMonth);
    parts.push(judge(expected, new Set(await linesOf(database, userId))));
    await harness.deregister(second.userId);
  }
  return add(parts);
}

/** Summaries stored twice, and summaries and samples whose creation was emitted twice. */
export async function countDuplicates({ sql }: Database): Promise<number> {
  const [row] = await sql<{ stored: number; emitted: number }[]>`
    WITH twice AS (
      SELECT count(*) - 1 AS more FROM summaries
      WHERE resource IN ('sleep', 'workouts', 'activity', 'sleep_cycle')
      GROUP BY user_id, resource, source->>'type', coalesce(data->>'bedtime_start', data->>'time_start', data->>'session_start', calendar_date::text) HAVING count(*) > 1
    ), again AS (
      SELECT count(*) - 1 AS more FROM log_events
      WHERE event_type LIKE 'daily.data.%.created' AND json::jsonb->'data'->>'id' IS NOT NULL
      GROUP BY user_id, event_type, json::jsonb->'data'->>'id' HAVING count(*) > 1
    )
    SELECT coalesce((SELECT sum(more) FROM twice), 0)::int AS stored, coalesce((SELECT sum(more) FROM again), 0)::int AS emitted`;
  return (row?.stored ?? 0) + (row?.emitted ?? 0);
}
