import type { FailureReason } from '../model/report.ts';

/** A file that cannot be parsed, with the reason to show to its owner. */
export class ReportParseError extends Error {
  readonly reason: FailureReason;

  constructor(reason: FailureReason, message: string) {
    super(message);
    this.name = 'ReportParseError';
    this.reason = reason;
  }
}
