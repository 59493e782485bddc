import { utcMidnight } from '../../kit/days.ts';
import type { MappedRecords, PullSpec, PullWindow } from '../../kit/types.ts';
import { createContext, type DexcomContext } from '../dexcom.ts';

const dayMs = 86_400_000;
/** Clocks are at most this far from UTC: the local days of a window lie within it and so much more on both sides. */
const marginMs = 14 * 3_600_000;

export interface RangePull extends Pick<PullSpec, 'name' | 'resources' | 'rereadDays'> {
  /** Last part of the path. */
  readonly collection: string;
  map(body: unknown, window: PullWindow, context: DexcomContext): MappedRecords;
}

/** A pull of one collection. Dexcom pages nothing: what was asked for comes in one answer. */
export function rangePull({ collection, map, ...spec }: RangePull): PullSpec {
  // Without a zone, as Dexcom wants it; it is taken as UTC. The end is not among the times.
  const text = (ms: number): string => new Date(ms).toISOString().slice(0, 19);
  return {
    ...spec,
    requiredScopes: [],
    // Dexcom gives thirty days, margins included; two weeks keep an answer below two megabytes.
    chunkDays: 14,
    backfillDays: 180,
    collections: [],
    async *pull({ http, user, window }) {
      const answer = await http.get(`/v3/users/self/${collection}`, {
        startDate: text(utcMidnight(window.startDate) - marginMs),
        endDate: text(utcMidnight(window.endDate) + dayMs + marginMs),
      });
      yield { ...map(answer.body, window, createContext(user)), version: answer.version };
    },
  };
}
