import { liveMembers } from '@pulsewire/eventlog';
import { errorCode, sleep } from '@pulsewire/kernel';
import type { Engine } from './engine.ts';
import type { DispatcherOptions, Tuning } from './options.ts';
import { freeOrphaned } from './retries/release-leases.ts';

const checkEveryMs = 2000;

/**
 * Until the signal aborts, adjusts this dispatcher's share of the rate limits to the number of live dispatchers, and frees the leases of
 * dead ones.
 */
export async function watchMembers(
  { queues, cache, retries, replays }: Engine,
  { database, logger, memberId }: DispatcherOptions,
  { group }: Tuning,
  signal: AbortSignal,
): Promise<void> {
  let [before, settled] = ['', ''];
  while (!signal.aborted) {
    try {
      const members = await liveMembers(database, group);
      queues.shareWith(Math.max(1, members.length), cache.table.endpoints);
      const now = members.join(' ');
      // Requires two readings that include ourselves, because after a database outage all members look dead until their next heartbeat.
      if (now !== settled && now === before && members.includes(memberId)) {
        const freed = await freeOrphaned(database, members);
        settled = now;
        if (freed > 0) {
          logger.warn({ rows: freed }, 'rows.released');
          retries.recheck();
          replays.recheck();
        }
      }
      before = now;
    } catch (error) {
      logger.debug({ errorCode: errorCode(error) }, 'members.read_failed');
    }
    await sleep(checkEveryMs, signal);
  }
}
