import { errorCode, sleep, type Logger, type Metrics } from '@pulsewire/kernel';
import type { ReportContext } from './live-user.ts';
import { claimReport } from './claim-report.ts';
import { finishReport, type ReportOutcome } from './finish-report.ts';

/** Parses the files of one report; never throws for a bad file. */
export type ParseReport = (files: readonly Uint8Array[], signal: AbortSignal) => Promise<ReportOutcome>;

export interface ReportWorkerOptions {
  readonly labs: ReportContext;
  readonly parse: ParseReport;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Longer than `parse` may take. Default 3 minutes. */
  readonly leaseMs?: number;
  /** How long an idle worker waits before it polls again. Default 2 s. */
  readonly idleMs?: number;
}

/** A report whose process died this often is not retried, because the report may be the cause. */
const attemptsMax = 3;

/** Parses one report that is due. Returns false when there is none. */
export async function workReport(options: ReportWorkerOptions, signal: AbortSignal): Promise<boolean> {
  const { labs, logger, metrics, leaseMs = 180_000 } = options;
  const claimed = await claimReport(labs, leaseMs);
  if (!claimed) return false;
  const { row, files } = claimed;
  const started = labs.clock.monotonicMs();
  const outcome: ReportOutcome =
    row.attempts > attemptsMax ? { kind: 'failed', reason: 'processing_error' } : await options.parse(files, signal);
  const isStored = await finishReport(labs, row, outcome);
  const result = outcome.kind === 'parsed' ? 'parsed' : outcome.reason;
  metrics.count('lab_reports_total', { outcome: isStored ? result : 'lease_lost' });
  logger.info({ jobId: row.jobId, outcome: result, isStored, ms: Math.round(labs.clock.monotonicMs() - started) }, 'report.parsed');
  return true;
}

/**
 * Parses reports until the signal aborts. A report in progress is then abandoned and parsed again by another process once its lease
 * expires.
 */
export async function workReports(options: ReportWorkerOptions, signal: AbortSignal): Promise<void> {
  const { logger, idleMs = 2000 } = options;
  while (!signal.aborted) {
    const hasWorked = await workReport(options, signal).catch((error: unknown) => {
      if (!signal.aborted) logger.warn({ errorCode: errorCode(error) }, 'report.failed');
      return false;
    });
    if (!hasWorked) await sleep(idleMs, signal);
  }
}
