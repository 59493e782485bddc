import type { Zone } from '../../model/zone.ts';
import type { Stretch } from './types.ts';

const prefix = 'morning ';
const [firstHour, lastHour] = [8, 11];

/** The key of a removed morning. */
export const morningOf = (date: string): string => `${prefix}${date}`;

/** The removed mornings. */
export function morningsOf(zone: Zone, removed: ReadonlySet<string>): readonly Stretch[] {
  return [...removed]
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
    .map((date) => ({ fromMs: zone.toInstant(date, firstHour * 3600), toMs: zone.toInstant(date, lastHour * 3600) }));
}
