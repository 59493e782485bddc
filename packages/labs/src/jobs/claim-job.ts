import { and, asc, eq, inArray, isNotNull, isNull, lte, notInArray, or, sql } from 'drizzle-orm';
import { run, type Database } from '@pulsewire/database';
import { labPartnerJobs } from '../model/appointment-tables.ts';
import type { PartnerJob } from './job.ts';

export interface JobChoice {
  readonly kinds: readonly string[];
  /** Only this job; it need not be due. */
  readonly jobId?: string;
  /** Partners that have reached their limit of calls in progress. */
  readonly exceptPartners?: readonly string[];
}

/**
 * Claims the job that has been due longest, for `leaseMs`. A job with an expired lease is claimed again, because its process has died. Null
 * when none is due. Every claim raises the epoch, so that writes of a former holder are refused.
 */
export async function claimJob({ orm }: Database, choice: JobChoice, now: Date, leaseMs: number): Promise<PartnerJob | null> {
  const { kinds, jobId, exceptPartners = [] } = choice;
  const { leaseUntil } = labPartnerJobs;
  const candidate = orm
    .select({ jobId: labPartnerJobs.jobId })
    .from(labPartnerJobs)
    .where(
      and(
        isNotNull(labPartnerJobs.dueAt),
        jobId === undefined ? lte(labPartnerJobs.dueAt, now) : eq(labPartnerJobs.jobId, jobId),
        or(isNull(leaseUntil), lte(leaseUntil, now)),
        inArray(labPartnerJobs.kind, [...kinds]),
        exceptPartners.length > 0 ? notInArray(labPartnerJobs.partner, [...exceptPartners]) : undefined,
      ),
    )
    .orderBy(asc(labPartnerJobs.dueAt))
    .limit(1)
    .for('update', { skipLocked: true });
  const [claimed] = await run(
    orm
      .update(labPartnerJobs)
      .set({
        leaseUntil: new Date(now.getTime() + leaseMs),
        leaseEpoch: sql`${labPartnerJobs.leaseEpoch} + 1`,
        attempts: sql`${labPartnerJobs.attempts} + 1`,
      })
      // A scalar subquery runs once; IN could run it again and lock more rows.
      .where(sql`${labPartnerJobs.jobId} = ${candidate}`)
      .returning(),
  );
  return claimed ?? null;
}
