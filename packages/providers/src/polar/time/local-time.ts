import type { JsonNode } from '../../kit/values/json-node.ts';
import { dayToMs } from '../../kit/time/days.ts';
import { parseWallClock } from '../../kit/time/time.ts';

const suffixPattern = /(?:Z|[+-]\d{2}:?\d{2})$/;

/**
 * The digits of a local clock. Polar's times of exercises and days are local, with the offset in a field of its own; some carry a `Z`
 * or an offset all the same, which does not change what the digits mean. Undefined for what is no time.
 */
export function parseLocalTime(text: string): number | undefined {
  return parseWallClock(text.replace(suffixPattern, ''));
}

/** A day, with or without a time behind it: `2025-05-01` and `2025-05-01T00:00:00`. */
export function readLocalDay(node: JsonNode): string {
  const text = node.text();
  const day = text.slice(0, 10);
  const isDay = dayToMs(day) !== undefined && (text.length === 10 || parseLocalTime(text) !== undefined);
  if (!isDay) throw node.fail('bad_time');
  return day;
}
