import { and, eq } from 'drizzle-orm';
import { run } from '@pulsewire/database';
import { labReports } from '../model/report-tables.ts';
import type { ReportContext } from './live-user.ts';
import type { ReportRow } from './report-job.ts';

/** Extends the lease of a claimed report by `leaseMs` from now. Returns false when it was lost to another process. */
export async function renewReport({ database, clock }: ReportContext, claimed: ReportRow, leaseMs: number): Promise<boolean> {
  const leaseUntil = new Date(clock.now().getTime() + leaseMs);
  const mine = and(
    eq(labReports.teamId, claimed.teamId),
    eq(labReports.jobId, claimed.jobId),
    eq(labReports.leaseEpoch, claimed.leaseEpoch),
    eq(labReports.status, 'started'),
  );
  const rows = await run(
    database.orm.update(labReports).set({ leaseUntil, dueAt: leaseUntil }).where(mine).returning({ jobId: labReports.jobId }),
  );
  return rows.length > 0;
}
