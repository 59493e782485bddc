import { AppError, sleep, type Logger, type Metrics } from '@pulsewire/kernel';
import type { Executor } from '@pulsewire/database';
import type { AuditEntry } from './audit-entry.ts';
import { insertEntries } from './insert-entries.ts';

export interface AuditRecorder {
  /** Writes the entry soon, together with others. */
  record(entry: AuditEntry): void;
  /** Resolves when the entry is committed. Throws AppError `audit_unavailable` (retryable) when it could not be written. */
  recordNow(entry: AuditEntry): Promise<void>;
  /** Writes what waits and stops. */
  close(): Promise<void>;
}

export interface AuditRecorderOptions {
  readonly database: Executor;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** How long an entry may wait for others. */
  readonly waitMs?: number;
}

const batchMax = 1000;
const waitingMax = 100_000;
const retryMs = 1000;
const closeTries = 5;

/** Collects entries and writes them in batches, one at a time; what could not be written stays and is tried again. */
export function createAuditRecorder({ database, logger, metrics, waitMs = 200 }: AuditRecorderOptions): AuditRecorder {
  let waiting: AuditEntry[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<boolean> = Promise.resolve(true);

  const lose = (count: number) => {
    metrics.count('audit_entries_lost_total', {}, count);
    logger.error({ entries: count }, 'audit.entries_lost');
  };

  const writeBatch = async (): Promise<boolean> => {
    const batch = waiting.slice(0, batchMax);
    if (batch.length === 0) return true;
    try {
      await insertEntries(database, batch);
      waiting = waiting.slice(batch.length);
      metrics.count('audit_entries_total', {}, batch.length);
      return true;
    } catch (error) {
      logger.warn({ error, waiting: waiting.length }, 'audit.write_failed');
      return false;
    }
  };
  const writeAll = async (): Promise<boolean> => {
    while (waiting.length > 0) if (!(await writeBatch())) return false;
    return true;
  };
  const flush = () => {
    writing = writing.then(writeAll);
    return writing;
  };
  const schedule = (ms: number) => {
    timer ??= setTimeout(() => {
      timer = undefined;
      void flush().then((isDone) => {
        if (!isDone) schedule(retryMs);
      });
    }, ms);
    timer.unref();
  };

  const record = (entry: AuditEntry) => {
    if (waiting.length >= waitingMax) return lose(1);
    waiting.push(entry);
    schedule(waiting.length >= batchMax ? 0 : waitMs);
  };
  return {
    record,
    async recordNow(entry) {
      record(entry);
      if (!(await flush()) && waiting.includes(entry)) {
        schedule(retryMs);
        throw new AppError({
          code: 'audit_unavailable',
          kind: 'unavailable',
          message: 'The audit log cannot be written; try again',
          retryable: true,
        });
      }
    },
    async close() {
      clearTimeout(timer);
      for (let tries = 1; !(await flush()) && tries < closeTries; tries++) await sleep(200);
      if (waiting.length > 0) lose(waiting.length);
    },
  };
}
