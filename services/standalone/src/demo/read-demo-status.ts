import type { Database } from '@pulsewire/database';
import { readLag } from '@pulsewire/eventlog';
import { readProgress } from '@pulsewire/ingest';
import type { DemoStatus } from './client/demo-context.ts';
import { scriptedSlug } from './simulation/simulated-slugs.ts';

/** Progress of a team's data, and the events that one of its endpoints still waits for, for the output of `npm start`. */
export async function readDemoStatus(
  database: Database,
  { teamId, endpointId }: { readonly teamId: string; readonly endpointId: string },
): Promise<DemoStatus> {
  // Windows of the script's own provider: the others have quotas in real time, and those linked by hand have their whole history.
  const progress = await readProgress(database, { teamId, provider: scriptedSlug });
  const [stored] = await database.sql<{ samples: string; summaries: string }[]>`
    SELECT (SELECT coalesce(sum(c.created), 0)::text FROM sample_counts c JOIN sources o USING (user_source_id) WHERE o.team_id = ${teamId}) AS samples,
      (SELECT count(*)::text FROM summaries WHERE team_id = ${teamId}) AS summaries`;
  const lag = await readLag(database, 'dispatcher');
  const [attempts] = await database.sql<{ failed: number }[]>`
    SELECT count(*)::int AS failed FROM webhook_attempts WHERE endpoint_id = ${endpointId} AND outcome > 1`;
  const [pending] = await database.sql<{ waiting: number }[]>`
    SELECT count(*)::int AS waiting FROM webhook_pending WHERE endpoint_id = ${endpointId}`;
  const [log] = await database.sql<
    { events: string }[]
  >`SELECT coalesce(sum(coalesce(g.ends_at, s.next_offset) - g.begins_at), 0)::text AS events FROM log_shards s JOIN log_generations g USING (shard)`;
  return {
    windowsTotal: progress.windowsTotal,
    windowsDone: progress.windowsDone,
    windowsFailed: progress.windowsFailed,
    windowsWaitingForQuota: progress.windowsWaitingForQuota,
    samples: Number(stored?.samples ?? 0),
    summaries: Number(stored?.summaries ?? 0),
    events: Number(log?.events ?? 0),
    undelivered: lag.events + (pending?.waiting ?? 0),
    failedAttempts: attempts?.failed ?? 0,
  };
}
