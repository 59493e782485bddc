import type { CompleteRange } from '@pulsewire/contract';
import { JsonNode } from '../../kit/values/json-node.ts';
import { createRecordMaker, type RecordMaker } from '../../kit/records/record-maker.ts';
import type { MappedRecords, PullSpec, PullWindow } from '../../kit/types/connector.ts';
import { listedDaysOf } from '../complete-days.ts';
import { polarSlug } from '../polar.ts';
import { rereadDays, type ClockedPull } from './clocked-pull.ts';

const daysOf = ({ startDate, endDate }: PullWindow) => ({ from: startDate, to: endDate });

/** One answer for the whole window, `from` and `to` both included. */
export function readRange(path: string, query: Readonly<Record<string, string>> = {}): ClockedPull['read'] {
  return async function* (http, window) {
    yield await http.get(path, { ...daysOf(window), ...query });
  };
}

/**
 * The same, each day of the list under `key` as an answer of its own: a day may hold thousands of values. A single day, which is what a
 * push names, is read by its own address.
 */
export function readDays(path: string, key: string): ClockedPull['read'] {
  return async function* (http, window) {
    if (window.startDate === window.endDate) return yield await http.get(`${path}/${window.startDate}`);
    const answer = await http.get(path, daysOf(window));
    const days = new JsonNode(answer.body).at(key).value;
    for (const body of Array.isArray(days) ? (days as unknown[]) : [answer.body]) yield { ...answer, body };
  };
}

interface RangePull extends Pick<PullSpec, 'name' | 'resources' | 'chunkDays' | 'backfillDays'> {
  readonly path: string;
  /** What an answer that has all of some days holds all of. */
  complete(days: PullWindow, now: Date | undefined): readonly CompleteRange[];
  map(body: unknown, context: RecordMaker): MappedRecords;
}

/** A pull of tests that say themselves where the clock stood. No event tells of them. */
export function rangePull({ path, complete, map, ...spec }: RangePull): PullSpec {
  return {
    ...spec,
    requiredScopes: [],
    rereadDays,
    deletions: 'by_absence',
    collections: [],
    async *pull({ http, user, window, now }) {
      const { body, version } = await http.get(path, daysOf(window));
      // No answer at all, which is how Polar says that there is nothing, is not believed.
      const days = body === undefined ? null : listedDaysOf(window, now);
      const allOf = days === null ? [] : complete(days, now);
      yield { ...map(body, createRecordMaker(polarSlug, user)), version, allOf };
    },
  };
}
