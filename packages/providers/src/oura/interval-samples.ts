import type { Quarantined, Sample } from '@pulsewire/contract';
import { readEachOf, readWhole, type JsonNode } from '../kit/values/json-node.ts';
import { parseInstant } from '../kit/time/time.ts';

/** The offset between two instants with known offsets; null when the clocks changed in between. */
export function offsetBetween(start: { readonly offset: number }, end: { readonly offset: number }): number | null {
  return start.offset === end.offset ? start.offset : null;
}

/**
 * Oura's series with a fixed step: `{ interval (s), items: [number|null], timestamp }`. Item i was measured at `timestamp` + i
 * steps, starting with i = 0; null means that the ring measured nothing. What cannot be read costs only itself.
 */
export function readIntervalSamples(resource: string, series: JsonNode, offset: number | null, quarantined: Quarantined[]): Sample[] {
  if (series.isBlank) return [];
  const read = readWhole(resource, quarantined, (): Sample[] => {
    const start = series.at('timestamp').time(parseInstant);
    const stepMs = series.at('interval').amount() * 1000;
    if (stepMs <= 0) throw series.at('interval').fail('bad_number');
    const list = series.at('items');
    return readEachOf(resource, list, list.items(), quarantined, (item, index) => {
      const value = item.optional((node) => node.amount());
      return value === null ? undefined : { ts: Math.round(start.ms + index * stepMs), value, timezoneOffset: offset };
    });
  });
  return read ?? [];
}
