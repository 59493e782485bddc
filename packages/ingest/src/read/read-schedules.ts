import { and, eq } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { pullPlans } from '../model/tables.ts';

/** The reasons why a connection's pulls wait. */
export interface ScheduleState {
  readonly connectionId: string;
  readonly nextPullAt: Date;
  /** The provider accepts no calls before this time. */
  readonly resumeAt: Date | null;
  /** No backfill before this time: the rest of the quota is reserved for live pulls. */
  readonly backfillResumeAt: Date | null;
  /** Pulls stopped at this time, until the user links again. */
  readonly stoppedAt: Date | null;
  readonly subscription: 'none' | 'wanted' | 'active' | 'failed';
}

const toDate = (text: string | null) => (text === null ? null : new Date(text));

/** The schedules of a user's connections, by connection. */
export async function readSchedules(
  { orm }: Executor,
  { teamId, userId }: { readonly teamId: string; readonly userId: string },
): Promise<ReadonlyMap<string, ScheduleState>> {
  const rows = await run(
    orm
      .select()
      .from(pullPlans)
      .where(and(eq(pullPlans.teamId, teamId), eq(pullPlans.userId, userId))),
  );
  return new Map(
    rows.map(({ connectionId, nextPullAt, resumeAt, backfillResumeAt, stoppedAt, subscription }) => [
      connectionId,
      {
        connectionId,
        nextPullAt: new Date(nextPullAt),
        resumeAt: toDate(resumeAt),
        backfillResumeAt: toDate(backfillResumeAt),
        stoppedAt: toDate(stoppedAt),
        subscription,
      },
    ]),
  );
}
