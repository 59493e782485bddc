import type { Database } from '@pulsewire/database';
import { readLag } from '@pulsewire/eventlog';
import { readProgress } from '@pulsewire/ingest';
import type { DemoStatus } from './demo-context.ts';
import { scriptedSlug } from './simulation/simulated-slugs.ts';

/** Progress of a team's data, and the events that one of its endpoints still waits for, for the output of `npm start`. */
export async function readDemoStatus(
  database: Database,
  { teamId, endpointId }: { readonly teamId: string; readonly endpointId: string },
): Promise<DemoStatus> {
  // Only the script's own provider: providers linked by hand have quotas in real time, and the demo does not wait for them.
  const progress = await readProgress(database, { teamId, provider: scriptedSlug });
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
    samples: progress.samplesStored,
    summaries: progress.summariesStored,
    events: Number(log?.events ?? 0),
    undelivered: lag.events + (pending?.waiting ?? 0),
    failedAttempts: attempts?.failed ?? 0,
  };
}
