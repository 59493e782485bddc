import path from 'node:path';
import type { Database } from '@pulsewire/database';
import { findConnector } from '@pulsewire/providers';
import { startBenchServer } from '../delivery/harness/server.ts';
import { Remote } from '../remote.ts';
import type { PlannerOrder } from './planner-process.ts';
import { describeMachine, perSecond, type Benchmark, type Line } from '../report.ts';

const file = path.join(import.meta.dirname, 'planner-process.ts');

/** How many connections a scheduler plans in a second when all of them are due, and how many two of them do. */
export const planningBenchmark: Benchmark = {
  name: 'poll-planning',
  async run({ isQuick }) {
    const count = isQuick ? 5000 : 50_000;
    const server = await startBenchServer();
    const planners = [new Remote(file), new Remote(file)];
    try {
      console.log(`  ${describeMachine(server.describe)}`);
      const order: PlannerOrder = { databaseUrl: server.url };
      for (const planner of planners) await planner.ask('open', order);
      await fill(server.database, count);
      // Compiles the code, and creates the rows that polls use again; the first ones for statistics, as a table that grows has them.
      await planWith(server.database, planners, 500);
      await planWith(server.database, planners);
      const one = await planWith(server.database, planners.slice(0, 1));
      const two = await planWith(server.database, planners);
      const text = count.toLocaleString('en-US');
      const lines: Line[] = [
        { what: `${text} connections planned by one scheduler`, figure: perSecond(count, one), aim: '>= 5,000/s' },
        { what: 'by two schedulers', figure: perSecond(count, two), against: 'one', ratio: one / two, aim: '>= 1.7 where cores allow' },
      ];
      return lines;
    } finally {
      for (const planner of planners) await planner.close();
      await server.close();
    }
  },
};

/** Oura connections that were linked and read, none of them due. */
async function fill({ sql }: Database, count: number): Promise<void> {
  const connector = findConnector('oura');
  if (!connector) throw new Error('No connector');
  const scopes = [...new Set(connector.pulls.flatMap(({ requiredScopes }) => requiredScopes))];
  const [team] = await sql<
    { team_id: string }[]
  >`INSERT INTO teams (team_id, name, created_at) VALUES (gen_random_uuid(), 'bench', now()) RETURNING team_id`;
  await sql`
    WITH u AS (
      INSERT INTO users (user_id, team_id, client_user_id, created_at)
      SELECT gen_random_uuid(), ${team?.team_id ?? ''}::uuid, 'user-' || n, now() FROM generate_series(1, ${count}) n RETURNING user_id, team_id
    ), c AS (
      INSERT INTO connections (connection_id, team_id, user_id, provider, provider_user_id, status, application, granted_scopes, account, created_at, updated_at)
      SELECT gen_random_uuid(), team_id, user_id, 'oura', user_id::text, 'connected', 'platform', ${scopes}::text[], '{"time_zone":"Europe/Berlin"}', now(), now()
      FROM u RETURNING connection_id, team_id, user_id
    ), p AS (
      INSERT INTO pull_plans (connection_id, team_id, user_id, provider, next_pull_at, account_due_at, linked_at, created_at)
      SELECT connection_id, team_id, user_id, 'oura', now() + interval '1 hour', now() + interval '1 day', now(), now() FROM c RETURNING connection_id
    )
    INSERT INTO pull_cursors (connection_id, pull, covered_to)
    SELECT connection_id, pull, now()::date - 1 FROM p CROSS JOIN unnest(${connector.pulls.map(({ name }) => name)}::text[]) AS pull`;
  await sql`ANALYZE`;
}

/** Makes polls due, as after all windows of the last one were read, and plans them. Returns the ms. */
async function planWith({ sql }: Database, planners: readonly Remote[], count = 1_000_000): Promise<number> {
  await sql`UPDATE pull_windows SET state = 'done', finished_at = now()`;
  await sql`UPDATE pull_plans SET next_pull_at = now() - interval '1 minute', next_tick_at = NULL WHERE connection_id IN (SELECT connection_id FROM pull_plans LIMIT ${count})`;
  await sql`TRUNCATE pgboss.job_common`;
  await sql`VACUUM ANALYZE pull_windows, pull_plans, pull_cursors`;
  const startMs = performance.now();
  await Promise.all(planners.map((planner) => planner.ask<number>('plan')));
  return performance.now() - startMs;
}
