import type { Quarantined, Sample } from '@pulsewire/contract';
import { readWhole, type JsonNode } from '../kit/values/json-node.ts';
import type { Span } from './garmin.ts';

const keyPattern = /^\d{1,7}$/;

/**
 * Reads a map from seconds since the start to readings. Values below `lowest` were not measured (-1 to -5) and are omitted; an unreadable
 * reading is quarantined and the others are kept.
 */
export function readSampleMap(resource: string, map: JsonNode, span: Span, lowest: number, quarantined: Quarantined[]): Sample[] {
  if (map.isMissing) return [];
  if (typeof map.value !== 'object' || Array.isArray(map.value)) throw map.fail('unknown_shape');
  return Object.keys(map.value as object).flatMap((key): Sample[] => {
    const value = readWhole(resource, quarantined, () => {
      if (!keyPattern.test(key)) throw map.at(key).fail('bad_time');
      return map.at(key).optional((node) => node.number());
    });
    if (value === undefined || value === null || value < lowest) return [];
    const ts = span.startMs + Number(key) * 1000;
    return [{ ts, value, timezoneOffset: span.offsetAt(ts) }];
  });
}

/** One sample per instant: the later one is kept. */
export function onceEach(samples: readonly Sample[]): Sample[] {
  return [...new Map(samples.map((sample) => [sample.ts, sample])).values()].toSorted((a, b) => a.ts - b.ts);
}
