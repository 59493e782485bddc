import { sleep, type Metrics } from '@pulsewire/kernel';
import type { Database } from '@pulsewire/database';
import { readLag } from './maintain.ts';

const everyMs = 5000;

/** Reports the lag of a group as metrics until the signal aborts. */
export async function reportLag(database: Database, group: string, metrics: Metrics, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const lag = await readLag(database, group).catch(() => null);
    if (lag !== null) {
      metrics.gauge('log_lag_events', lag.events, { group });
      metrics.gauge('log_oldest_unread_age_seconds', lag.oldestAgeMs / 1000, { group });
    }
    await sleep(everyMs, signal);
  }
}
