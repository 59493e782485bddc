import { AppError, sleep, type Logger, type Metrics } from '@pulsewire/kernel';
import type { AuditEntry } from './audit-entry.ts';
import { insertEntries, type AuditDatabase } from './entries.ts';

export interface AuditRecorder {
  /** Queues the entry; it is written in a batch. */
  record(entry: AuditEntry): void;
  /**
   * Resolves when the entry is committed, together with other waiting entries. Throws AppError `audit_unavailable` (retryable) when it
   * could not be written; unless Postgres refused it or too many wait, it is kept and retried.
   */
  recordNow(entry: AuditEntry): Promise<void>;
  /** Writes queued entries and stops. */
  close(): Promise<void>;
}

export interface AuditRecorderOptions {
  readonly database: AuditDatabase;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** How long an entry may wait for others. */
  readonly waitMs?: number;
}

const batchMax = 1000;
const waitingMax = 100_000;
const retryMs = 1000;
const closeAttemptsMax = 5;

/** Collects entries and writes them in batches, one at a time; entries that could not be written are kept and retried. */
export function createAuditRecorder({ database, logger, metrics, waitMs = 200 }: AuditRecorderOptions): AuditRecorder {
  let waiting: AuditEntry[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<boolean> = Promise.resolve(true);
  let next: Promise<boolean> | undefined;
  const refusedEntries = new WeakSet<AuditEntry>();

  const lose = (count: number) => {
    metrics.count('audit_entries_lost_total', {}, count);
    logger.error({ entries: count }, 'audit.entries_lost');
  };

  const writeBatch = async (): Promise<boolean> => {
    const batch = waiting.slice(0, batchMax);
    if (batch.length === 0) return true;
    try {
      const refused = await insertEntries(database, batch);
      waiting = waiting.slice(batch.length);
      metrics.count('audit_entries_total', {}, batch.length - refused.length);
      for (const { item, code } of refused) {
        refusedEntries.add(item);
        logger.error({ errorCode: code, action: item.action, entryId: item.entryId }, 'audit.entry_refused');
      }
      if (refused.length > 0) lose(refused.length);
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
  // Callers that flush while a batch is being written share the next one.
  const flush = () => {
    next ??= writing.then(() => {
      next = undefined;
      return writeAll();
    });
    writing = next;
    return next;
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

  const hold = (entry: AuditEntry): boolean => {
    if (waiting.length >= waitingMax) {
      lose(1);
      return false;
    }
    waiting.push(entry);
    schedule(waiting.length >= batchMax ? 0 : waitMs);
    return true;
  };
  return {
    record(entry) {
      hold(entry);
    },
    async recordNow(entry) {
      const isHeld = hold(entry);
      const isWritten = await flush();
      if (!isWritten) schedule(retryMs);
      if (!isHeld || refusedEntries.has(entry) || (!isWritten && waiting.includes(entry))) {
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
      for (let attempts = 1; !(await flush()) && attempts < closeAttemptsMax; attempts++) await sleep(200);
      if (waiting.length > 0) lose(waiting.length);
    },
  };
}
