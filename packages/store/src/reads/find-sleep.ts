import type { SourceRef } from '@pulsewire/contract';
import type { Executor } from '@pulsewire/database';

/** A sleep: its user, source and time. */
export interface FoundSleep {
  readonly userId: string;
  readonly source: SourceRef;
  /** ms since the epoch. */
  readonly startMs: number;
  readonly stopMs: number;
  /** Data of its sleep cycles, in order of time; empty when the provider sends no stages. */
  readonly cycles: readonly Readonly<Record<string, unknown>>[];
}

interface Row {
  user_id: string;
  source: SourceRef;
  data: { readonly bedtime_start: string; readonly bedtime_stop: string };
  cycles: readonly Record<string, unknown>[] | null;
}

/** A team's sleep by the id of its summary; undefined when there is none. */
export async function findSleep(
  { sql }: Executor,
  { teamId, sleepId }: { readonly teamId: string; readonly sleepId: string },
): Promise<FoundSleep | undefined> {
  const [row] = await sql<Row[]>`
    SELECT s.user_id, s.source, s.data, (
      SELECT jsonb_agg(c.data ORDER BY c.at, c.id) FROM summaries c
      WHERE c.user_id = s.user_id AND c.team_id = s.team_id AND c.resource = 'sleep_cycle'
        AND c.at BETWEEN s.at - interval '2 days' AND s.at + interval '2 days' AND c.data ->> 'sleep_id' = s.id::text
    ) AS cycles
    FROM summaries s WHERE s.id = ${sleepId} AND s.team_id = ${teamId} AND s.resource = 'sleep'`;
  if (row === undefined) return undefined;
  const [startMs, stopMs] = [Date.parse(row.data.bedtime_start), Date.parse(row.data.bedtime_stop)];
  return { userId: row.user_id, source: row.source, startMs, stopMs, cycles: row.cycles ?? [] };
}
