import { systemClock, type Clock, type Logger, type Metrics } from '@pulsewire/kernel';
import { findTeam, getUser } from '@pulsewire/connections';
import {
  assertUsable,
  assertWritable,
  type Database,
  configuredKeys,
  type EncryptionConfig,
  openCipher,
  openOrShare,
} from '@pulsewire/database';
import { labSealedColumns, workReports, type ParseReport } from '@pulsewire/labs';
import { defaultLimits, parseIsolated } from '@pulsewire/report-parser';
import type { ConfigOf, Started } from '@pulsewire/runtime';
import { createAnalyteMatcher } from './analyte-matcher.ts';
import type { reportParserConfig } from './config.ts';
import { doubtfulResults, toReportData } from './report-data.ts';

export type ReportParserConfig = Omit<ConfigOf<typeof reportParserConfig>, keyof EncryptionConfig> & EncryptionConfig;

export interface ReportParserParts {
  /** The pool of the process that this service is a part of; absent: one of its own. */
  readonly database?: Database;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock?: Clock;
}

export interface ReportParserService extends Started {
  close(): Promise<void>;
}

/** Builds the process that parses uploaded lab reports. The parsing itself happens in child processes. */
export async function compose(config: ReportParserConfig, parts: ReportParserParts): Promise<ReportParserService> {
  const { logger, metrics, clock = systemClock } = parts;
  const database = openOrShare(parts.database, {
    url: config.databaseUrl,
    name: 'pulsewire-report-parser',
    connectionsMax: Math.max(config.databaseConnectionsMax, config.concurrency + 1),
  });
  try {
    await assertUsable(database);
    const cipher = await openCipher(database, configuredKeys(database, config), labSealedColumns);
    const matcher = createAnalyteMatcher(database, clock);
    const parse: ParseReport = async (files, signal) => {
      const outcome = await parseIsolated(files, {
        limits: { ...defaultLimits, ocrThreads: config.ocrThreads },
        deadlineMs: config.deadlineMs,
        scanDeadlineMs: config.scanDeadlineMs,
        memoryBytesMax: config.memoryMaxMib * 1024 * 1024,
        signal,
      });
      if (outcome.kind === 'failed') {
        logger.info({ reason: outcome.reason, explanation: outcome.detail }, 'report.parse_failed');
        return { kind: 'failed', reason: outcome.reason };
      }
      return { kind: 'parsed', data: toReportData(outcome.report, await matcher()), doubtful: doubtfulResults(outcome.report) };
    };
    const labs = { database, cipher, clock, owners: { findUser: getUser } };
    const hasHumanReview = async (teamId: string) => (await findTeam(database, teamId))?.humanReview ?? false;
    const run = (signal: AbortSignal) => workReports({ labs, parse, hasHumanReview, logger, metrics }, signal);
    return {
      workers: Array.from({ length: config.concurrency }, (_, index) => ({ name: `report_parser_${index + 1}`, run })),
      checks: [{ name: 'database', check: () => assertWritable(database) }],
      close: () => database.close(),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
