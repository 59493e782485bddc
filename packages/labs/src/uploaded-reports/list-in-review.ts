import { and, asc, eq, isNotNull } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { labReports } from '../model/report-tables.ts';

export interface ReportInReview {
  readonly jobId: string;
  readonly teamId: string;
  readonly updatedAt: Date;
}

/** Reports that await a review, the oldest first. For operators. */
export function listReportsInReview({ orm }: Executor, limit: number): Promise<readonly ReportInReview[]> {
  const { jobId, teamId, updatedAt } = labReports;
  return run(
    orm
      .select({ jobId, teamId, updatedAt })
      .from(labReports)
      .where(and(eq(labReports.status, 'started'), isNotNull(labReports.data)))
      .orderBy(asc(labReports.updatedAt))
      .limit(limit),
  );
}
