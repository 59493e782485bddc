import type { Clock } from '@pulsewire/kernel';
import { run, type Executor } from '@pulsewire/database';
import { and, isNotNull, isNull, lte, min, or } from 'drizzle-orm';
import { labPartnerJobs } from '../model/job-tables.ts';

/** How long the oldest call of all teams has been due without a process that makes it, in ms; 0 when none is. */
export async function oldestDueMs({ orm }: Executor, clock: Clock): Promise<number> {
  const now = clock.now();
  const { dueAt, leaseUntil } = labPartnerJobs;
  const waiting = and(isNotNull(dueAt), lte(dueAt, now), or(isNull(leaseUntil), lte(leaseUntil, now)));
  const [oldest] = await run(
    orm
      .select({ dueAt: min(dueAt) })
      .from(labPartnerJobs)
      .where(waiting),
  );
  return oldest?.dueAt ? Math.max(0, now.getTime() - oldest.dueAt.getTime()) : 0;
}
