import { and, eq } from 'drizzle-orm';
import { AppError } from '@pulsewire/kernel';
import { run, type Executor } from '@pulsewire/database';
import { labReports } from '../model/report-tables.ts';
import type { ReportRow } from './report-job.ts';

/** Throws AppError `report_not_found`, also for a job of another team. */
export async function getReport({ orm }: Executor, teamId: string, jobId: string): Promise<ReportRow> {
  const [row] = await run(
    orm
      .select()
      .from(labReports)
      .where(and(eq(labReports.teamId, teamId), eq(labReports.jobId, jobId))),
  );
  if (row) return row;
  throw new AppError({ code: 'report_not_found', kind: 'not_found', message: 'Parsing job not found' });
}
