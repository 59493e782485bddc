import { asc, eq, sql } from 'drizzle-orm';
import { run, type Tx } from '@pulsewire/database';
import { withEvents } from '@pulsewire/eventlog';
import { labReportFiles, labReports, labReportTurns } from '../model/report-tables.ts';
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
 * Locks the report that has waited longest of the team whose turn it is: the one whose last turn is longest ago, first those that never had
 * one. Otherwise the reports of one team would hold up those of all others.
 */
async function lockNext({ sql: query }: Tx, now: Date): Promise<{ readonly jobId: string; readonly status: string } | null> {
  const [due] = await query<{ jobId: string; status: string }[]>`
    SELECT r.job_id AS "jobId", r.status FROM lab_reports r LEFT JOIN lab_report_turns t USING (team_id)
    WHERE r.due_at <= ${now.toISOString()}::timestamptz
    ORDER BY t.claimed_at NULLS FIRST, r.due_at LIMIT 1 FOR UPDATE OF r SKIP LOCKED`;
  return due ?? null;
}

/**
 * Claims the next report, for `leaseMs`: teams take turns, each with the one that has waited longest. A report with an expired lease is claimed again, because its process has died.
 * Emits `lab_report.parsing_job.updated` when the job starts. Null when none is due.
 */
export async function claimReport(context: ReportContext, leaseMs: number): Promise<ClaimedReport | null> {
  const { database, cipher, clock } = context;
  const now = clock.now();
  return withEvents(database, async (tx, emit) => {
    const due = await lockNext(tx, now);
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
    const turn = { teamId: row.teamId, claimedAt: now };
    await run(tx.orm.insert(labReportTurns).values(turn).onConflictDoUpdate({ target: labReportTurns.teamId, set: turn }));
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
