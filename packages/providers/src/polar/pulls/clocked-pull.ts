import type { CompleteRange } from '@pulsewire/contract';
import type { MappedRecords, ProviderAnswer, ProviderHttp, PullSpec, PullWindow } from '../../kit/types/connector.ts';
import { readClocked, type PolarContext } from '../polar.ts';

/** Polar keeps four weeks of most data. */
export const historyDays = 28;
/** A watch hands over days late, and nights are worked on again. */
export const rereadDays = 7;

type Given = 'deletions' | 'name' | 'resources' | 'collections' | 'chunkDays' | 'backfillDays' | 'reachDays';

export interface ClockedPull extends Pick<PullSpec, Given> {
  /** The answers of a window, each mapped by itself. */
  read(http: ProviderHttp, window: PullWindow): AsyncIterable<ProviderAnswer>;
  /** What an answer holds all of. */
  complete?(body: unknown, context: PolarContext, now: Date | undefined, window: PullWindow): readonly CompleteRange[];
  map(body: unknown, window: PullWindow, context: PolarContext): MappedRecords;
}

/** A pull of bare wall clocks: the nights are read first, they tell the offsets. */
export function clockedPull({ read, complete, map, ...spec }: ClockedPull): PullSpec {
  return {
    requiredScopes: [],
    rereadDays,
    deletions: { unseen: 'A day keeps its record; what was deleted changes its figures.' },
    ...spec,
    async *pull({ http, user, window, now }) {
      const { context, version } = await readClocked(http, user);
      for await (const { body } of read(http, window)) {
        yield { ...map(body, window, context), version, allOf: complete?.(body, context, now, window) ?? [] };
      }
    },
  };
}
