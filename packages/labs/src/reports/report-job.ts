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

export function openReportData(cipher: Cipher, jobId: string, sealed: Buffer): ParsedReportData {
  return JSON.parse(cipher.open(sealed, labSealContext('lab_reports', jobId))) as ParsedReportData;
}

export function sealReportData(cipher: Cipher, jobId: string, data: ParsedReportData): Buffer {
  return cipher.seal(JSON.stringify(data), labSealContext('lab_reports', jobId));
}
