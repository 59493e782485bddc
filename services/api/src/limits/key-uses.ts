import { minuteMs, type Clock, type Logger } from '@pulsewire/kernel';
import { recordKeyUses } from '@pulsewire/connections';
import type { Executor } from '@pulsewire/database';

/** Collects the last use of keys and records it periodically, so that no request waits for it. */
export interface KeyUses {
  note(keyId: string): void;
  /** Records the pending uses. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const flushEveryMs = 10_000;
/** With more keys than this in one interval, the oldest are recorded only at their next use. */
const keysMax = 10_000;

export function createKeyUses({ database, clock, logger }: { database: Executor; clock: Clock; logger: Logger }): KeyUses {
  let pending = new Map<string, Date>();
  const recorded = new Map<string, number>();
  const flush = async () => {
    const uses = pending;
    pending = new Map();
    await recordKeyUses(database, uses).catch((error: unknown) => logger.warn({ error, keys: uses.size }, 'api_keys.record_failed'));
  };
  const timer = setInterval(() => void flush(), flushEveryMs);
  timer.unref();
  return {
    note(keyId) {
      const minute = Math.floor(clock.now().getTime() / minuteMs);
      if (recorded.get(keyId) === minute) return;
      if (recorded.size >= keysMax) recorded.clear();
      recorded.set(keyId, minute);
      pending.set(keyId, new Date(minute * minuteMs));
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
