import type { CompleteRange } from '@pulsewire/contract';
import { pullDefaults } from '../../kit/pull-presets.ts';
import { JsonNode } from '../../kit/values/json-node.ts';
import { createRecordMaker, type RecordMaker } from '../../kit/records/record-maker.ts';
import type { MappedRecords, PullSpec, PullWindow } from '../../kit/types/connector.ts';
import { listedDaysOf } from '../complete-days.ts';
import { polarSlug } from '../polar.ts';
import { rereadDays, type ClockedPull } from './clocked-pull.ts';

const daysOf = ({ startDate, endDate }: PullWindow) => ({ from: startDate, to: endDate });

/** One response for the whole window, `from` and `to` both included. */
export function readRange(path: string, query: Readonly<Record<string, string>> = {}): ClockedPull['read'] {
  return async function* (http, window) {
    yield await http.get(path, { ...daysOf(window), ...query });
  };
}

/**
 * As `readRange`, but each day of the list under `key` is a separate response, because a day may hold thousands of values. A
 * single day, such as a push names, is read from its own URL.
 */
export function readDays(path: string, key: string): ClockedPull['read'] {
  return async function* (http, window) {
    if (window.startDate === window.endDate) return yield await http.get(`${path}/${window.startDate}`);
    const response = await http.get(path, daysOf(window));
    const days = new JsonNode(response.body).at(key).value;
    for (const body of Array.isArray(days) ? (days as unknown[]) : [response.body]) yield { ...response, body };
  };
}

interface RangePull extends Pick<PullSpec, 'name' | 'resources' | 'chunkDays' | 'backfillDays'> {
  readonly path: string;
  /** The ranges for which a response that covers these days is complete. */
  complete(days: PullWindow, now: Date | undefined): readonly CompleteRange[];
  map(body: unknown, context: RecordMaker): MappedRecords;
}

/** A pull of tests that contain their own offset. Polar does not push them. */
export function rangePull({ path, complete, map, ...spec }: RangePull): PullSpec {
  return {
    ...pullDefaults,
    ...spec,
    rereadDays,
    deletions: 'by_absence',
    async *pull({ http, user, window, now }) {
      const { body, version } = await http.get(path, daysOf(window));
      // An empty response, which Polar also sends when there is no data, does not prove that data was deleted.
      const days = body === undefined ? null : listedDaysOf(window, now);
      const allOf = days === null ? [] : complete(days, now);
      yield { ...map(body, createRecordMaker(polarSlug, user)), version, allOf };
    },
  };
}
