import { createHash } from 'node:crypto';
import type { ReportedPatient } from '../partners/partner.ts';
import type { LabReport } from '../results/lab-report.ts';
import type { Candidate } from './decide.ts';

/** Results that arrived from a lab. */
export interface IncomingReport {
  readonly labId: number;
  readonly patient: ReportedPatient | null;
  readonly isCorrection: boolean;
  readonly report: LabReport;
  /** The order that the lab names, or that is the only one it can mean: the team may have the same sample number at other accounts. */
  readonly orderId?: string;
}

/** The sealed content of a report in review. */
export interface ReviewDetails {
  readonly patient: ReportedPatient | null;
  readonly isCorrection: boolean;
  /** Times as ISO texts. */
  readonly report: unknown;
  readonly candidates: readonly Candidate[];
  readonly note: string | null;
}

/** Identical for every arrival of the same report. */
export function digestOf({ labId, patient, isCorrection, report }: IncomingReport): string {
  return createHash('sha256').update(JSON.stringify({ labId, patient, isCorrection, report })).digest('hex');
}

const date = (text: unknown) => (typeof text === 'string' ? new Date(text) : null);

/** A report from its JSON text. */
export function readSealedReport(value: unknown): LabReport {
  const stored = value as LabReport;
  return {
    ...stored,
    results: stored.results.map((result) => ({ ...result, at: new Date(result.at) })),
    collectedAt: date(stored.collectedAt),
    receivedAt: date(stored.receivedAt),
    at: new Date(stored.at),
  };
}
