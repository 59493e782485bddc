import type { Sample } from '@pulsewire/contract';
import type { JsonNode } from '../kit/values/json-node.ts';
import { parseInstant } from '../kit/time/time.ts';

/** The offset between two instants with known offsets; null when the clocks changed in between. */
export function offsetBetween(start: { readonly offset: number }, end: { readonly offset: number }): number | null {
  return start.offset === end.offset ? start.offset : null;
}

/**
 * Oura's series with a fixed step: `{ interval (s), items: [number|null], timestamp }`. Item i was measured at `timestamp` + i
 * steps, starting with i = 0; null means that the ring measured nothing.
 */
export function readIntervalSamples(series: JsonNode, offset: number | null): Sample[] {
  if (series.isMissing) return [];
  const start = series.at('timestamp').time(parseInstant);
  const stepMs = series.at('interval').amount() * 1000;
  if (stepMs <= 0) throw series.at('interval').fail('bad_number');
  return series
    .at('items')
    .items()
    .flatMap((item, index): Sample[] => {
      if (item.isMissing) return [];
      return [{ ts: Math.round(start.ms + index * stepMs), value: item.amount(), timezoneOffset: offset }];
    });
}
