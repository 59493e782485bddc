import { errorCode, sleep } from '@pulsewire/kernel';
import { liveMembers } from '@pulsewire/eventlog';
import type { Engine } from './engine.ts';
import { freeOrphaned } from './retries/free-orphaned.ts';
import type { DispatcherOptions, Tuning } from './options.ts';

const lookEveryMs = 2000;

/**
 * Until the signal aborts: each dispatcher keeps to its part of the rate limits, by the number of those that live, and takes over
 * what those that are gone had under way.
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
      // Seen twice, and ourselves among them: after an outage of the database all look gone until they have been heard again.
      if (now !== settled && now === before && members.includes(memberId)) {
        const freed = await freeOrphaned(database, members);
        settled = now;
        if (freed > 0) {
          logger.warn({ rows: freed }, 'rows.freed');
          retries.lookAgain();
          replays.lookAgain();
        }
      }
      before = now;
    } catch (error) {
      logger.debug({ errorCode: errorCode(error) }, 'members.not_read');
    }
    await sleep(lookEveryMs, signal);
  }
}
