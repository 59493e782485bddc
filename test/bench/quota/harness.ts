import { createManualClock, type Clock } from '@pulsewire/kernel';
import type { Database } from '@pulsewire/database';
import type { QuotaRequester } from '@pulsewire/ingest';
import type { QuotaRule } from '@pulsewire/providers';
import { createCountingProvider, type CountingProvider } from './provider.ts';

export interface Scenario {
  readonly name: string;
  readonly rules: readonly QuotaRule[];
  readonly connections: number;
  /** Of them, those with a history that never ends. */
  readonly backfills: number;
  readonly pollMs: number;
  /** Calls of a live run: 1 to this many. */
  readonly callsMax: number;
  readonly runMs: number;
  /** Ages and the share are measured from then on. */
  readonly measureFromMs: number;
  /** When one process is killed. */
  readonly deathMs?: number;
}

export interface QuotaHarness {
  readonly database: Database;
  readonly clock: Clock & { advance(ms: number): void };
  readonly scenario: Scenario;
  readonly provider: CountingProvider;
  readonly connector: QuotaRequester['connector'];
  /** Random numbers 0..1, the same in every run. */
  random(): number;
  /** When each connection was read last, ms since 1970. */
  readonly readAt: Map<string, number>;
  /** Runs that wait for a worker. */
  readonly ready: { readonly connectionId: string; readonly lane: 'live' | 'backfill' }[];
}

const teamId = '00000000-0000-4000-8000-000000000001';

export function seekerOf(harness: QuotaHarness, connectionId: string): QuotaRequester {
  return { connector: harness.connector, connection: { connectionId, application: 'platform', teamId } };
}

/** Connections that were imported together: the first poll of each lies within one interval, history is planned for some. */
export async function createQuotaHarness(database: Database, scenario: Scenario): Promise<QuotaHarness> {
  const clock = createManualClock(new Date('2026-03-20T12:00:00Z'));
  const at = clock.now().toISOString();
  await database.sql`TRUNCATE pull_plans, pull_windows CASCADE`;
  await database.sql`
    INSERT INTO pull_plans (connection_id, team_id, user_id, provider, next_pull_at, account_due_at, created_at, served_at)
    SELECT gen_random_uuid(), ${teamId}::uuid, gen_random_uuid(), 'counted', ${at}::timestamptz + n * ${scenario.pollMs / scenario.connections} * interval '1 millisecond',
      ${at}::timestamptz + interval '10 years', ${at}::timestamptz, ${at}::timestamptz
    FROM generate_series(0, ${scenario.connections - 1}) n`;
  await database.sql`
    INSERT INTO pull_windows (connection_id, team_id, user_id, pull, rank, resources, lane, start_date, end_date, state, due_at, planned_at)
    SELECT connection_id, team_id, user_id, 'counted', 0, '{steps}'::text[], 'live', '2026-03-20'::date, '2026-03-20'::date, 'done', ${at}::timestamptz, ${at}::timestamptz FROM pull_plans
    UNION ALL
    SELECT connection_id, team_id, user_id, 'counted', 0, '{steps}'::text[], 'backfill', '2025-03-20'::date, '2026-03-19'::date, 'planned', ${at}::timestamptz, ${at}::timestamptz
    FROM (SELECT * FROM pull_plans ORDER BY connection_id LIMIT ${scenario.backfills}) p`;
  const rows = await database.sql<{ connection_id: string; has_history: boolean }[]>`
    SELECT connection_id, EXISTS (SELECT 1 FROM pull_windows w WHERE w.connection_id = p.connection_id AND w.lane = 'backfill') AS has_history FROM pull_plans p`;
  await database.sql`ANALYZE pull_plans, pull_windows`;
  let seed = 42;
  return {
    database,
    clock,
    scenario,
    provider: createCountingProvider(scenario.rules, 700),
    connector: { slug: 'counted', quotas: scenario.rules },
    random: () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    },
    readAt: new Map(rows.map((row) => [row.connection_id, clock.now().getTime()])),
    ready: rows.filter((row) => row.has_history).map((row) => ({ connectionId: row.connection_id, lane: 'backfill' })),
  };
}

/** Queues due polls, as the scheduled job does. */
export async function pollDue({ database, clock, ready }: QuotaHarness): Promise<void> {
  const at = clock.now().toISOString();
  const rows = await database.sql<{ connection_id: string }[]>`
    WITH due AS (
      UPDATE pull_plans SET next_pull_at = ${at}::timestamptz + interval '10 years' WHERE connection_id IN (
        SELECT connection_id FROM pull_plans WHERE stopped_at IS NULL AND waits_for IS DISTINCT FROM 'live' AND next_pull_at <= ${at} ORDER BY next_pull_at LIMIT 500)
      RETURNING connection_id)
    UPDATE pull_windows w SET state = 'planned', due_at = ${at} FROM due WHERE w.connection_id = due.connection_id AND w.lane = 'live' RETURNING w.connection_id`;
  for (const { connection_id: connectionId } of rows) ready.push({ connectionId, lane: 'live' });
}

/** Ends runs, as the end of a tick does: the next poll is due an interval later. */
export async function endTurns(
  { database, clock, scenario }: QuotaHarness,
  turns: readonly { connectionId: string; lane: string }[],
): Promise<void> {
  if (turns.length === 0) return;
  const at = clock.now().toISOString();
  const all = turns.map((turn) => turn.connectionId);
  const live = turns.filter((turn) => turn.lane === 'live').map((turn) => turn.connectionId);
  await database.sql`UPDATE pull_plans SET turn_at = NULL WHERE connection_id = ANY(${all}::uuid[])`;
  await database.sql`
    WITH served AS (
      UPDATE pull_plans SET served_at = ${at}, next_pull_at = ${at}::timestamptz + ${scenario.pollMs} * interval '1 millisecond'
      WHERE connection_id = ANY(${live}::uuid[]) RETURNING connection_id)
    UPDATE pull_windows w SET state = 'done' FROM served WHERE w.connection_id = served.connection_id AND w.lane = 'live'`;
}
