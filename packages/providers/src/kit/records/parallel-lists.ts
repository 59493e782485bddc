import type { Quarantined, StreamChannel, WorkoutStream } from '@pulsewire/contract';
import { readEachOf, readWhole, type JsonNode } from '../values/json-node.ts';

const resource = 'workout_stream';

/** The values of one channel; item i belongs to item i of the times. */
export interface ParallelList {
  readonly channel: StreamChannel;
  readonly node: JsonNode;
  /** Null for a value that means none, such as a heart rate of zero. */
  read(item: JsonNode): number | null;
}

/** One entry per item, null for those that cannot be read, which are quarantined. */
function readAll<T>(list: JsonNode, items: readonly JsonNode[], quarantined: Quarantined[], read: (item: JsonNode) => T): (T | null)[] {
  const values: (T | null)[] = items.map(() => null);
  readEachOf(resource, list, items, quarantined, (item, index) => {
    values[index] = read(item);
    return undefined;
  });
  return values;
}

function readList({ node, read }: ParallelList, length: number, quarantined: Quarantined[]): (number | null)[] | null {
  const items = readWhole(resource, quarantined, () => {
    const found = node.itemsOrNone();
    // It is not known where the list was cut.
    if (found.length > 0 && found.length !== length) throw node.fail('unknown_shape');
    return found;
  });
  if (items === undefined || items.length === 0) return null;
  const values = readAll(node, items, quarantined, (item) => item.optional(read));
  return values.some((value) => value !== null) ? values : null;
}

/**
 * The data of a stream that is sent as parallel lists; null without times. A fault costs only what depends on it: of the times the point,
 * of a value the value, of the length of a list its channel. Times that run backwards are sorted.
 */
export function readParallelLists(
  times: JsonNode,
  secondOf: (item: JsonNode) => number,
  lists: readonly ParallelList[],
  quarantined: Quarantined[],
): WorkoutStream['data'] | null {
  const items = readWhole(resource, quarantined, () => times.itemsOrNone()) ?? [];
  const seconds = readAll(times, items, quarantined, secondOf);
  const known = seconds.flatMap((second, index) => (second === null ? [] : [{ second, index }]));
  if (known.length === 0) return null;
  if (known.some(({ second }, place) => second < (known[place - 1]?.second ?? second)))
    quarantined.push({ resource, reason: 'bad_time', pointer: times.pointer });
  const points = known.toSorted((a, b) => a.second - b.second);
  const read = lists.flatMap((list) => {
    const values = readList(list, items.length, quarantined);
    return values === null ? [] : [[list.channel, points.map(({ index }) => values[index] ?? null)] as const];
  });
  return { time: points.map(({ second }) => second), ...Object.fromEntries(read) };
}
