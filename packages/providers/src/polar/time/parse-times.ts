import type { JsonNode } from '../../kit/values/json-node.ts';
import { dayToMs } from '../../kit/time/days.ts';
import { parseWallClock } from '../../kit/time/time.ts';

const durationPattern = /^PT(?=\d)(?:(\d{1,4})H)?(?:(\d{1,5})M)?(?:(\d{1,7}(?:\.\d{1,9})?)S)?$/;
const suffixPattern = /(?:Z|[+-]\d{2}:?\d{2})$/;

/**
 * The digits of a local time. Polar's times of exercises and days are local, with the offset in a separate field; some also end
 * in a `Z` or an offset, which is ignored. Undefined for anything else.
 */
export function parseLocalTime(text: string): number | undefined {
  return parseWallClock(text.replace(suffixPattern, ''));
}

/** A day, with or without a time: `2025-05-01` and `2025-05-01T00:00:00`. */
export function readLocalDay(node: JsonNode): string {
  const text = node.text();
  const day = text.slice(0, 10);
  const isDay = dayToMs(day) !== undefined && (text.length === 10 || parseLocalTime(text) !== undefined);
  if (!isDay) throw node.fail('bad_time');
  return day;
}

/** A duration of ISO 8601 in hours, minutes and seconds, as ms; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const match = durationPattern.exec(text);
  if (match === null) return undefined;
  const [, hours = '0', minutes = '0', seconds = '0'] = match;
  return Math.round((Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000);
}
