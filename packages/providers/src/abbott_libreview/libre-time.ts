import { parseWallClock } from '../kit/time/time.ts';

const pattern = /^(\d{1,2})\/(\d{1,2})\/(\d{4}) (\d{1,2}):(\d{2}):(\d{2}) (AM|PM)$/;

/** Parses `3/12/2026 4:05:09 PM`, reading the digits as if they were UTC. Undefined for anything else. */
export function parseLibreTime(text: string): number | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const [, month = '', day = '', year = '', hour = '', minute = '', second = '', half] = match;
  const [clock, isAfternoon] = [Number(hour), half === 'PM'];
  if (clock < 1 || clock > 12) return undefined;
  const hours = String((clock % 12) + (isAfternoon ? 12 : 0)).padStart(2, '0');
  return parseWallClock(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}T${hours}:${minute}:${second}`);
}
