import type { CompleteRange } from '@pulsewire/contract';
import type { MappedRecords, ProviderResponse, ProviderHttp, PullSpec, PullWindow } from '../../kit/types/connector.ts';
import { readClocked, type PolarContext } from '../polar.ts';

/** Polar keeps four weeks of most data. */
export const historyDays = 28;
/** Watches sync days late, and Polar reprocesses nights. */
export const rereadDays = 7;

type Given = 'deletions' | 'name' | 'resources' | 'collections' | 'chunkDays' | 'backfillDays' | 'reachDays';

export interface ClockedPull extends Pick<PullSpec, Given> {
  /** The responses of a window, each mapped by itself. */
  read(http: ProviderHttp, window: PullWindow): AsyncIterable<ProviderResponse>;
  /** The ranges for which a response is complete. */
  complete?(body: unknown, context: PolarContext, now: Date | undefined, window: PullWindow): readonly CompleteRange[];
  map(body: unknown, window: PullWindow, context: PolarContext): MappedRecords;
}

/** A pull of data with bare wall clocks: the nights are read first, because they contain the offsets. */
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
