import { splitWindow, utcMidnight } from '../../kit/time/days.ts';
import type { CompleteRange } from '@pulsewire/contract';
import { historyDaysMax } from '../../kit/history-depth.ts';
import type { MappedRecords, PullSpec, PullWindow } from '../../kit/types/connector.ts';
import { createContext, historyDays, type DexcomContext } from '../dexcom.ts';
import { lateWindow } from '../late-window.ts';

const dayMs = 86_400_000;
/** Clocks are at most this far from UTC: the local days of a window lie within it and so much more on both sides. */
const marginMs = 14 * 3_600_000;
/** Dexcom gives thirty days, margins included; two weeks keep an answer below two megabytes. */
const daysPerCall = 14;

export interface RangePull extends Pick<PullSpec, 'name' | 'resources' | 'rereadDays' | 'deletions'> {
  /** Last part of the path. */
  readonly collection: string;
  /** What an answer holds all of. */
  complete?(window: PullWindow, now: Date | undefined): readonly CompleteRange[];
  map(body: unknown, window: PullWindow, context: DexcomContext): MappedRecords;
}

/** A pull of one collection. Dexcom pages nothing: what was asked for comes in one answer. */
export function rangePull({ collection, complete, map, ...spec }: RangePull): PullSpec {
  // Without a zone, as Dexcom wants it; it is taken as UTC. The end is not among the times.
  const text = (ms: number): string => new Date(ms).toISOString().slice(0, 19);
  return {
    ...spec,
    requiredScopes: [],
    chunkDays: daysPerCall,
    backfillDays: historyDays,
    reachDays: historyDaysMax,
    collections: [],
    async *pull({ http, user, window, now }) {
      const context = createContext(user);
      for (const piece of splitWindow(lateWindow({ window, user, ...(now && { now }) }), daysPerCall)) {
        const answer = await http.get(`/v3/users/self/${collection}`, {
          startDate: text(utcMidnight(piece.startDate) - marginMs),
          endDate: text(utcMidnight(piece.endDate) + dayMs + marginMs),
        });
        yield { ...map(answer.body, piece, context), version: answer.version, allOf: complete?.(piece, now) ?? [] };
      }
    },
  };
}
