import type { PullLane } from '@pulsewire/providers';
import type { Executor } from '@pulsewire/database';

/** What is known of the reading of one range of days: the answer to "why is Tuesday empty?". */
export interface CoveredWindow {
  readonly connectionId: string;
  readonly pull: string;
  readonly resources: readonly string[];
  readonly lane: PullLane;
  readonly startDate: string;
  readonly endDate: string;
  readonly state: 'planned' | 'running' | 'done' | 'failed' | 'given_up';
  readonly runs: number;
  readonly attempts: number;
  readonly errorCode: string | null;
  readonly dueAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly samplesReceived: number;
  readonly samplesCreated: number;
  readonly samplesUpdated: number;
  readonly summariesReceived: number;
  readonly summariesCreated: number;
  readonly summariesUpdated: number;
  readonly quarantined: number;
}

const rowsMax = 1000;

/** Every window of a user that covers `day`, newest range first. Windows of connections that are gone are among them. */
export async function readCoverage(
  { sql }: Executor,
  {
    teamId,
    userId,
    day,
    connectionId = null,
  }: { readonly teamId: string; readonly userId: string; readonly day: string; readonly connectionId?: string | null },
): Promise<readonly CoveredWindow[]> {
  const rows = await sql<Record<string, string>[]>`
    SELECT * FROM pull_windows
    WHERE team_id = ${teamId} AND user_id = ${userId} AND start_date <= ${day} AND end_date >= ${day}
      AND (${connectionId}::uuid IS NULL OR connection_id = ${connectionId}::uuid)
    ORDER BY end_date DESC, pull, lane LIMIT ${rowsMax}`;
  return rows.map((row) => toCoveredWindow(row));
}

function toCoveredWindow(row: Record<string, unknown>): CoveredWindow {
  const time = (key: string) => (typeof row[key] === 'string' ? new Date(row[key]) : null);
  return {
    connectionId: String(row['connection_id']),
    pull: String(row['pull']),
    resources: row['resources'] as string[],
    lane: row['lane'] as PullLane,
    startDate: String(row['start_date']),
    endDate: String(row['end_date']),
    state: row['state'] as CoveredWindow['state'],
    runs: Number(row['runs']),
    attempts: Number(row['attempts']),
    errorCode: row['error_code'] as string | null,
    dueAt: time('due_at') ?? new Date(0),
    startedAt: time('started_at'),
    finishedAt: time('finished_at'),
    samplesReceived: Number(row['samples_received']),
    samplesCreated: Number(row['samples_created']),
    samplesUpdated: Number(row['samples_updated']),
    summariesReceived: Number(row['summaries_received']),
    summariesCreated: Number(row['summaries_created']),
    summariesUpdated: Number(row['summaries_updated']),
    quarantined: Number(row['quarantined']),
  };
}
