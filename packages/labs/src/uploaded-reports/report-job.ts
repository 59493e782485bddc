import type { ParsedReportData, ParsingJob } from '@pulsewire/contract';
import type { Cipher } from '@pulsewire/database';
import type { labReports } from '../model/report-tables.ts';
import { labSealContext } from '../model/sealed-columns.ts';

export type ReportFailure = 'invalid_input' | 'low_quality' | 'not_english' | 'too_many_pages' | 'processing_error';

export type ReportRow = typeof labReports.$inferSelect;

/** A job as teams see it. While a report awaits review, its parsed data is hidden. */
export function renderReport(row: ReportRow, cipher: Cipher): ParsingJob {
  const isDone = row.status === 'completed' && row.data !== null;
  return {
    id: row.jobId,
    job_id: row.jobId,
    status: row.status,
    failure_reason: row.failureReason,
    data: isDone && row.data ? openReportData(cipher, row.jobId, row.data) : null,
    needs_human_review: row.needsHumanReview,
    is_reviewed: row.isReviewed,
  };
}

/** As it is sealed: the data, and what only reviewers see. */
type Sealed = ParsedReportData & { readonly doubtful?: readonly number[] };

const open = (cipher: Cipher, jobId: string, sealed: Buffer) =>
  JSON.parse(cipher.open(sealed, labSealContext('lab_reports', jobId))) as Sealed;

export function openReportData(cipher: Cipher, jobId: string, sealed: Buffer): ParsedReportData {
  const { doubtful: _, ...data } = open(cipher, jobId, sealed);
  return data;
}

/** The results whose numbers may be misread. */
export function openDoubtfulResults(cipher: Cipher, jobId: string, sealed: Buffer): readonly ParsedReportData['results'][number][] {
  const { doubtful = [], results } = open(cipher, jobId, sealed);
  return results.filter((_, position) => doubtful.includes(position));
}

/** `doubtful`: positions of the results whose numbers may be misread. */
export function sealReportData(cipher: Cipher, jobId: string, data: ParsedReportData, doubtful: readonly number[] = []): Buffer {
  const sealed: Sealed = doubtful.length === 0 ? data : { ...data, doubtful };
  return cipher.seal(JSON.stringify(sealed), labSealContext('lab_reports', jobId));
}
