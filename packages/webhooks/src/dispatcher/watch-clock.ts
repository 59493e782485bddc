import { errorCode, sleep } from '@pulsewire/kernel';
import { correctTimes } from './retries/correct-times.ts';
import type { Engine } from './engine.ts';
import type { DispatcherOptions, Tuning } from './options.ts';

const checkEveryMs = 2000;
const correctEveryMs = 600_000;

/** Until the signal aborts: detects steps of the database's clock, and corrects due times and leases written before a step back. */
export async function watchClock(
  { databaseTime, retries, replays }: Engine,
  { database, logger, clock }: DispatcherOptions,
  { leaseMs }: Tuning,
  signal: AbortSignal,
): Promise<void> {
  let correctAtMs = Number.NEGATIVE_INFINITY;
  while (!signal.aborted) {
    try {
      const askedMs = clock.monotonicMs();
      const [row] = await database.sql<{ ms: number }[]>`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`;
      const nowMs = clock.monotonicMs();
      const stepMs = row === undefined ? 0 : databaseTime.note(row.ms, askedMs, nowMs);
      if (stepMs !== 0) logger.warn({ stepSeconds: Math.round(stepMs / 1000) }, 'database.clock_stepped');
      if (stepMs < 0 || nowMs >= correctAtMs) {
        const corrected = await correctTimes(database, { leaseMs, signal });
        correctAtMs = nowMs + correctEveryMs;
        if (corrected > 0) logger.warn({ rows: corrected }, 'rows.times_corrected');
      }
      if (stepMs !== 0) {
        retries.recheck();
        replays.recheck();
      }
    } catch (error) {
      logger.debug({ errorCode: errorCode(error) }, 'clock.read_failed');
    }
    await sleep(checkEveryMs, signal);
  }
}
