import type { CompleteRange } from '@pulsewire/contract';
import { dayMs } from '@pulsewire/kernel';
import { historyDays, createContext, type DexcomContext } from '../dexcom.ts';
import { historyDaysMax } from '../../kit/history-depth.ts';
import { pullDefaults } from '../../kit/pull-presets.ts';
import { addDays, dayToMs, msToDay, splitWindow, utcMidnight } from '../../kit/time/days.ts';
import { createZoneFinder } from '../../kit/time/zone-history.ts';
import type { PullContext, PullWindow, MappedRecords, PullSpec } from '../../kit/types/connector.ts';

/**
 * Extends a window that contains today back to the first unread day (`account.ts`); returns any other window, which is history, unchanged.
 */
function lateWindow({ window, user, now }: Pick<PullContext, 'window' | 'user' | 'now'>): PullWindow {
  const { unread_since: since } = user.account;
  if (now === undefined || typeof since !== 'string' || dayToMs(since) === undefined) return window;
  const zone = createZoneFinder(user.account, user.fallbackTimeZone)(msToDay(now.getTime()));
  if (window.endDate < zone.dayOf(now.getTime())) return window;
  const oldest = addDays(window.endDate, -historyDays);
  const from = since < oldest ? oldest : since;
  return from < window.startDate ? { ...window, startDate: from } : window;
}

/** Maximum offset of a clock from UTC: the local days of a window lie within it extended by this margin on both sides. */
const marginMs = 14 * 3_600_000;
/** Dexcom returns up to thirty days, including the margins; two weeks keep a response below two megabytes. */
const daysPerCall = 14;

interface RangePull extends Pick<PullSpec, 'name' | 'resources' | 'rereadDays' | 'deletions'> {
  /** Last part of the path. */
  readonly collection: string;
  /** The ranges that a response covers completely. */
  complete?(window: PullWindow, now: Date | undefined): readonly CompleteRange[];
  map(body: unknown, window: PullWindow, context: DexcomContext): MappedRecords;
}

/** A pull of one collection. Dexcom does not paginate: the whole range comes in one response. */
export function rangePull({ collection, complete, map, ...spec }: RangePull): PullSpec {
  // Dexcom requires times without a zone and reads them as UTC. The end is exclusive.
  const text = (ms: number): string => new Date(ms).toISOString().slice(0, 19);
  return {
    ...pullDefaults,
    ...spec,
    chunkDays: daysPerCall,
    backfillDays: historyDays,
    reachDays: historyDaysMax,
    async *pull({ http, user, window, now }) {
      const context = createContext(user);
      for (const piece of splitWindow(lateWindow({ window, user, ...(now && { now }) }), daysPerCall)) {
        const response = await http.get(`/v3/users/self/${collection}`, {
          startDate: text(utcMidnight(piece.startDate) - marginMs),
          endDate: text(utcMidnight(piece.endDate) + dayMs + marginMs),
        });
        yield { ...map(response.body, piece, context), version: response.version, allOf: complete?.(piece, now) ?? [] };
      }
    },
  };
}
