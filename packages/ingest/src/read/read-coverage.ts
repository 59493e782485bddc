import type { PullLane } from '@pulsewire/providers';
import { and, desc, eq, gte, lte } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { pullWindows } from '../model/tables.ts';
import type { PageCounts } from '../window/count-window.ts';

/** The state of one window and its result: explains why a day is empty. */
export interface CoveredWindow extends PageCounts {
  readonly windowId: string;
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
  readonly plannedAt: Date;
  readonly dueAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly quarantined: number;
}

const rowsMax = 1000;

/** Every window of a user that covers `day`, newest range first. Includes windows of removed connections. */
export async function readCoverage(
  { orm }: Executor,
  {
    teamId,
    userId,
    day,
    connectionId,
  }: { readonly teamId: string; readonly userId: string; readonly day: string; readonly connectionId?: string | null },
): Promise<readonly CoveredWindow[]> {
  const w = pullWindows;
  const where = and(eq(w.teamId, teamId), eq(w.userId, userId), lte(w.startDate, day), gte(w.endDate, day));
  const rows = await run(
    orm
      .select()
      .from(w)
      .where(connectionId == null ? where : and(where, eq(w.connectionId, connectionId)))
      .orderBy(desc(w.endDate), w.pull, w.lane)
      .limit(rowsMax),
  );
  return rows.map(toCoveredWindow);
}

function toCoveredWindow(row: typeof pullWindows.$inferSelect): CoveredWindow {
  const { connectionId, pull, resources, lane, startDate, endDate, state, runs, attempts, errorCode } = row;
  return {
    windowId: String(row.windowId),
    connectionId,
    pull,
    resources,
    lane,
    startDate,
    endDate,
    state,
    runs,
    attempts,
    errorCode,
    plannedAt: new Date(row.plannedAt),
    dueAt: new Date(row.dueAt),
    startedAt: row.startedAt === null ? null : new Date(row.startedAt),
    finishedAt: row.finishedAt === null ? null : new Date(row.finishedAt),
    samplesReceived: Number(row.samplesReceived),
    samplesCreated: Number(row.samplesCreated),
    samplesUpdated: Number(row.samplesUpdated),
    summariesReceived: Number(row.summariesReceived),
    summariesCreated: Number(row.summariesCreated),
    summariesUpdated: Number(row.summariesUpdated),
    quarantined: Number(row.quarantined),
  };
}
