import { eq } from 'drizzle-orm';
import type { ParsedReportData } from '@pulsewire/contract';
import { AppError } from '@pulsewire/kernel';
import { run } from '@pulsewire/database';
import { withEvents } from '@pulsewire/eventlog';
import { labReportFiles, labReports } from '../model/report-tables.ts';
import { findLiveUser, type ReportContext } from './live-user.ts';
import { reportEvent } from './report-event.ts';
import { openDoubtfulResults, openReportData, sealReportData, type ReportRow } from './report-job.ts';

const notInReview = () =>
  new AppError({ code: 'report_not_in_review', kind: 'conflict', message: 'This parsing job does not await a review' });

async function findSealed({ database }: ReportContext, jobId: string): Promise<Buffer> {
  const [row] = await run(database.orm.select().from(labReports).where(eq(labReports.jobId, jobId)));
  if (!row?.data || row.status !== 'started') throw notInReview();
  return row.data;
}

/** The parsed data of a report that awaits review. Throws AppError `report_not_in_review`. */
export async function readReportInReview(context: ReportContext, jobId: string): Promise<ParsedReportData> {
  return openReportData(context.cipher, jobId, await findSealed(context, jobId));
}

/** The results of a report that awaits review whose numbers may be misread. Throws AppError `report_not_in_review`. */
export async function readDoubtfulResults(context: ReportContext, jobId: string): Promise<ParsedReportData['results']> {
  return [...openDoubtfulResults(context.cipher, jobId, await findSealed(context, jobId))];
}

/** Completes a reviewed report, with corrected data if provided, and deletes its files. Throws AppError `report_not_in_review`. */
export async function completeReview(context: ReportContext, jobId: string, corrected?: ParsedReportData): Promise<ReportRow> {
  const { database, cipher, clock } = context;
  return withEvents(database, async (tx, emit) => {
    const [current] = await run(tx.orm.select().from(labReports).where(eq(labReports.jobId, jobId)).for('update'));
    if (!current?.data || current.status !== 'started' || !current.needsHumanReview) throw notInReview();
    const data = corrected ? sealReportData(cipher, jobId, corrected) : current.data;
    const [row] = await run(
      tx.orm
        .update(labReports)
        .set({ status: 'completed', isReviewed: true, data, updatedAt: clock.now() })
        .where(eq(labReports.jobId, jobId))
        .returning(),
    );
    if (!row) throw notInReview();
    await run(tx.orm.delete(labReportFiles).where(eq(labReportFiles.jobId, jobId)));
    const user = await findLiveUser(context, tx, row);
    if (user) emit(reportEvent('updated', row, user.clientUserId, cipher));
    return row;
  });
}
