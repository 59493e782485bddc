import { and, eq } from 'drizzle-orm';
import type { ParsedReportData } from '@pulsewire/contract';
import { run } from '@pulsewire/database';
import { withEvents } from '@pulsewire/eventlog';
import { labReportFiles, labReports } from '../model/report-tables.ts';
import { reportQueue } from './claim-report.ts';
import { findLiveUser, type ReportContext } from './live-user.ts';
import { reportEvent } from './report-event.ts';
import { sealReportData, type ReportFailure, type ReportRow } from './report-job.ts';

export type ReportOutcome =
  | {
      readonly kind: 'parsed';
      readonly data: ParsedReportData;
      /** Positions of the results whose numbers may be misread. */
      readonly doubtful?: readonly number[];
    }
  | { readonly kind: 'failed'; readonly reason: ReportFailure };

/**
 * Stores the outcome of a claimed report, for review if its user or `isReviewWanted` requests it, and emits
 * `lab_report.parsing_job.updated`. A report that awaits review keeps its files and stays `started`; otherwise the files are deleted,
 * because they are no longer needed. Returns false, and writes nothing, when the lease was lost.
 */
export async function finishReport(
  context: ReportContext,
  claimed: ReportRow,
  outcome: ReportOutcome,
  isReviewWanted = false,
): Promise<boolean> {
  const { database, cipher, clock } = context;
  return withEvents(database, async (tx, emit) => {
    const isInReview = outcome.kind === 'parsed' && (claimed.needsHumanReview || isReviewWanted);
    const isFinished = await reportQueue.finish(tx, claimed, {
      status: outcome.kind === 'failed' ? 'failed' : isInReview ? 'started' : 'completed',
      needsHumanReview: claimed.needsHumanReview || isInReview,
      failureReason: outcome.kind === 'failed' ? outcome.reason : null,
      data: outcome.kind === 'parsed' ? sealReportData(cipher, claimed.jobId, outcome.data, outcome.doubtful) : null,
      dueAt: null,
      leaseUntil: null,
      updatedAt: clock.now(),
    });
    if (!isFinished) return false;
    const [row] = await run(
      tx.orm
        .select()
        .from(labReports)
        .where(and(eq(labReports.teamId, claimed.teamId), eq(labReports.jobId, claimed.jobId))),
    );
    if (!row) return false;
    if (!isInReview) await run(tx.orm.delete(labReportFiles).where(eq(labReportFiles.jobId, row.jobId)));
    const user = await findLiveUser(context, tx, row);
    if (user) emit(reportEvent('updated', row, user.clientUserId, cipher));
    return true;
  });
}
