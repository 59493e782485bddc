import type { ParseLimits } from '../extract/limits.ts';
import type { FailureReason } from '../model/report.ts';
import type { ReadReport } from '../read-report.ts';

/** Request to the child process. */
export interface ParseRequest {
  readonly files: readonly Uint8Array[];
  readonly limits: ParseLimits;
}

/** Sent once, when it is known how many pages are scans, which take longer. */
export interface ScansFound {
  readonly kind: 'scans';
  readonly count: number;
}

/** The outcome of a parse. `detail` explains a failure to the file's owner and contains nothing from the report. */
export type ParseOutcome =
  | { readonly kind: 'read'; readonly report: ReadReport }
  | { readonly kind: 'failed'; readonly reason: FailureReason; readonly detail: string };
