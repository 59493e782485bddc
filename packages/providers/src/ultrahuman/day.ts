import type { Quarantined } from '@pulsewire/contract';
import { dayToMs } from '../kit/time/days.ts';
import { JsonNode, readEach, readWhole } from '../kit/values/json-node.ts';

/** The metrics of one local day, by lower-case type. */
export interface UltrahumanDay {
  readonly day: string;
  readonly metrics: ReadonlyMap<string, JsonNode>;
}

function readMetrics(day: string, list: JsonNode, quarantined: Quarantined[]): UltrahumanDay {
  const read = readEach('activity', list, quarantined, (item): readonly [string, JsonNode] | undefined => {
    if (item.isMissing) return undefined;
    const type = item.at('type').text().toLowerCase();
    const object = item.at('object');
    return object.isMissing ? undefined : [type, object];
  });
  return { day, metrics: new Map(read) };
}

/**
 * The days of a response. Two forms exist: a list for the requested day, and a map of days, each of which may be another than the
 * requested one. A response without either has no data.
 */
export function readDays(body: unknown, requestedDay: string, quarantined: Quarantined[]): UltrahumanDay[] {
  const data = new JsonNode(body).at('data');
  const list = data.at('metric_data');
  if (!list.isMissing) return [readMetrics(requestedDay, list, quarantined)];
  const byDay = data.at('metrics');
  const keys = typeof byDay.value === 'object' && byDay.value !== null ? Object.keys(byDay.value) : [];
  return keys.flatMap((key) => {
    const day = readWhole('activity', quarantined, () => {
      if (dayToMs(key) === undefined) throw byDay.at(key).fail('bad_time');
      return readMetrics(key, byDay.at(key), quarantined);
    });
    return day ? [day] : [];
  });
}

/** The user's present zone, which only one form of the response has. */
export function readLatestZone(body: unknown): string | null {
  const { value } = new JsonNode(body).at('data').at('latest_time_zone');
  return typeof value === 'string' ? value : null;
}
