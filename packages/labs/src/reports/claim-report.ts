import { asc, eq, lte, sql } from 'drizzle-orm';
import { run } from '@pulsewire/database';
import { withEvents } from '@pulsewire/eventlog';
import { labReportFiles, labReports } from '../model/report-tables.ts';
import { labSealContext } from '../model/sealed-columns.ts';
import { findLiveUser, type ReportContext } from './live-user.ts';
import { reportEvent } from './report-event.ts';
import type { ReportRow } from './report-job.ts';

/** A report that this process is parsing. */
export interface ClaimedReport {
  readonly row: ReportRow;
  readonly files: readonly Uint8Array[];
}

/**
 * Claims the report that has waited longest, for `leaseMs`. A report with an expired lease is claimed again, because its process has died.
 * Emits `lab_report.parsing_job.updated` when the job starts. Null when none is due.
 */
export async function claimReport(context: ReportContext, leaseMs: number): Promise<ClaimedReport | null> {
  const { database, cipher, clock } = context;
  const now = clock.now();
  return withEvents(database, async (tx, emit) => {
    const [due] = await run(
      tx.orm
        .select({ jobId: labReports.jobId, status: labReports.status })
        .from(labReports)
        .where(lte(labReports.dueAt, now))
        .orderBy(asc(labReports.dueAt))
        .limit(1)
        .for('update', { skipLocked: true }),
    );
    if (!due) return null;
    const leaseUntil = new Date(now.getTime() + leaseMs);
    const [row] = await run(
      tx.orm
        .update(labReports)
        .set({
          status: 'started',
          dueAt: leaseUntil,
          leaseUntil,
          attempts: sql`${labReports.attempts} + 1`,
          leaseEpoch: sql`${labReports.leaseEpoch} + 1`,
          updatedAt: now,
        })
        .where(eq(labReports.jobId, due.jobId))
        .returning(),
    );
    if (!row) return null;
    const parts = await run(
      tx.orm.select().from(labReportFiles).where(eq(labReportFiles.jobId, row.jobId)).orderBy(asc(labReportFiles.part)),
    );
    if (due.status === 'upload_pending') {
      const user = await findLiveUser(context, tx, row);
      if (user) emit(reportEvent('updated', row, user.clientUserId, cipher));
    }
    return {
      row,
      files: parts.map(({ part, content }) => cipher.openBytes(content, labSealContext('lab_report_files', row.jobId, part))),
    };
  });
}
