import { asc, eq, sql } from 'drizzle-orm';
import { createLeaseQueue, databaseNow, run } from '@pulsewire/database';
import { withEvents } from '@pulsewire/eventlog';
import { labReportFiles, labReports, labReportTurns } from '../model/report-tables.ts';
import { labSealContext } from '../model/sealed-columns.ts';
import { findLiveUser, type ReportContext } from './live-user.ts';
import { reportEvent } from './report-event.ts';
import type { ReportRow } from './report-job.ts';

/** The leases of reports; `lease_until` is read by former versions only. A parsed one is never due. */
export const reportQueue = createLeaseQueue({
  table: labReports,
  key: 'jobId',
  dueAt: 'dueAt',
  leaseUntil: 'dueAt',
  epoch: 'leaseEpoch',
  attempts: 'attempts',
});

/** A report that this process is parsing. */
export interface ClaimedReport {
  readonly row: ReportRow;
  readonly files: readonly Uint8Array[];
}

/** Teams take turns: otherwise the reports of one team would hold up those of all others. */
const rotation = {
  table: labReportTurns,
  on: eq(labReportTurns.teamId, labReports.teamId),
  lastTurn: sql`${labReportTurns.claimedAt}`,
} as const;

/**
 * Claims the next report: teams take turns, each with the one that has waited longest. Emits `lab_report.parsing_job.updated` when the job
 * starts. Null when none is due.
 */
export async function claimReport(context: ReportContext, leaseMs: number): Promise<ClaimedReport | null> {
  const { database, cipher, clock } = context;
  return withEvents(database, async (tx, emit) => {
    const [row] = await reportQueue.claim(tx, { leaseMs, rotation, values: { status: 'started', updatedAt: clock.now() } });
    if (!row) return null;
    const claimedAt = databaseNow;
    const turn = tx.orm.insert(labReportTurns).values({ teamId: row.teamId, claimedAt });
    await run(turn.onConflictDoUpdate({ target: labReportTurns.teamId, set: { claimedAt } }));
    const parts = await run(
      tx.orm.select().from(labReportFiles).where(eq(labReportFiles.jobId, row.jobId)).orderBy(asc(labReportFiles.part)),
    );
    // The first claim of all.
    if (row.leaseEpoch === 1n) {
      const user = await findLiveUser(context, tx, row);
      if (user) emit(reportEvent('updated', row, user.clientUserId, cipher));
    }
    return {
      row,
      files: parts.map(({ part, content }) => cipher.openBytes(content, labSealContext('lab_report_files', row.jobId, part))),
    };
  });
}
