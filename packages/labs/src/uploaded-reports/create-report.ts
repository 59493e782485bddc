import { and, count, eq, isNotNull, sql } from 'drizzle-orm';
import { AppError, uuidv7 } from '@pulsewire/kernel';
import { databaseNow, run, type Tx } from '@pulsewire/database';
import { withEvents } from '@pulsewire/eventlog';
import type { LabsContext, LabTeam } from '../context/context.ts';
import { labReportFiles, labReports } from '../model/report-tables.ts';
import { labSealContext } from '../model/sealed-columns.ts';
import { reportEvent } from './report-event.ts';
import { checkReportFiles, type ReportFile } from './report-files.ts';
import type { ReportRow } from './report-job.ts';

/** Jobs of a sandbox team, failed ones included: they cost the same. */
const sandboxReportsMax = 300;
/** Reports of one team that wait to be parsed, or are being parsed. */
const waitingReportsMax = 100;

export interface NewReport {
  readonly userId: string;
  readonly files: readonly ReportFile[];
  readonly needsHumanReview: boolean;
}

/**
 * Stores the files of a report, sealed, with the job to parse it, and emits `lab_report.parsing_job.created`. Throws AppErrors
 * `report_file_invalid`, `human_review_disabled`, `reports_waiting`, `sandbox_reports_exhausted`, `user_not_found`, `user_deleted`.
 */
export async function createReport(context: Omit<LabsContext, 'partners'>, team: LabTeam, report: NewReport): Promise<ReportRow> {
  const { database, cipher, clock, owners } = context;
  const contentTypes = checkReportFiles(report.files);
  if (report.needsHumanReview && !team.humanReview)
    throw new AppError({ code: 'human_review_disabled', kind: 'invalid', message: 'Human review is not enabled for this team' });
  const jobId = uuidv7();
  const now = clock.now();
  return withEvents(database, async (tx, emit) => {
    const user = await owners.lockUser(tx, team.teamId, report.userId);
    await checkWaiting(tx, team.teamId);
    if (team.isSandbox) await checkSandboxQuota(tx, team.teamId);
    const [row] = await run(
      tx.orm
        .insert(labReports)
        .values({
          jobId,
          teamId: team.teamId,
          userId: user.userId,
          status: 'upload_pending',
          needsHumanReview: report.needsHumanReview,
          contentTypes: [...contentTypes],
          dueAt: databaseNow,
          createdAt: now,
          updatedAt: now,
        })
        .returning(),
    );
    if (!row) throw new AppError({ code: 'report_not_stored', kind: 'bug', message: 'The report was not stored' });
    const parts = report.files.map(({ bytes }, part) => ({
      jobId,
      part,
      content: cipher.sealBytes(Buffer.from(bytes), labSealContext('lab_report_files', jobId, part)),
    }));
    await run(tx.orm.insert(labReportFiles).values(parts));
    emit(reportEvent('created', row, user.clientUserId, cipher));
    return row;
  });
}

async function checkWaiting(tx: Tx, teamId: string): Promise<void> {
  const isWaiting = and(eq(labReports.teamId, teamId), isNotNull(labReports.dueAt));
  const [row] = await run(tx.orm.select({ count: count() }).from(labReports).where(isWaiting));
  if ((row?.count ?? 0) < waitingReportsMax) return;
  throw new AppError({
    code: 'reports_waiting',
    kind: 'rate_limited',
    message: `${waitingReportsMax} reports of this team wait to be parsed; send further ones later`,
    retryable: true,
    retryAfterMs: 30_000,
  });
}

async function checkSandboxQuota(tx: Tx, teamId: string): Promise<void> {
  const [row] = await run(
    tx.orm
      .select({ count: sql<number>`count(*)::int` })
      .from(labReports)
      .where(eq(labReports.teamId, teamId)),
  );
  if ((row?.count ?? 0) < sandboxReportsMax) return;
  throw new AppError({
    code: 'sandbox_reports_exhausted',
    kind: 'invalid',
    message: `A sandbox team can have ${sandboxReportsMax} reports, failed ones included`,
  });
}
