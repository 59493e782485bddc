import type { OffsetOrigin } from '@pulsewire/contract';
import { addDays } from './days.ts';
import { openUnknownZone, openZone, type Zone } from './zone.ts';

/** The local day from which an account was in a zone. Stored in the account facts, so plain JSON. */
export interface ZoneEntry {
  readonly since: string;
  readonly time_zone: string;
}

function isZoneEntry(value: unknown): value is ZoneEntry {
  return (
    typeof value === 'object' &&
    value !== null &&
    'since' in value &&
    typeof value.since === 'string' &&
    'time_zone' in value &&
    typeof value.time_zone === 'string'
  );
}

/** The entries in an account's facts, oldest first; unreadable entries are skipped. */
export function readZoneHistory(account: Readonly<Record<string, unknown>>): readonly ZoneEntry[] {
  const entries = account['time_zones'];
  return Array.isArray(entries) ? entries.filter(isZoneEntry) : [];
}

const entriesMax = 100;

/**
 * Adds the zone reported today to the history. A provider that sends bare wall clocks reports only the current zone; if it
 * were applied to past days after a journey, each of their samples would be stored again, hours away from the first. So a
 * new zone applies from the next local day, and earlier days keep theirs.
 */
export function extendZoneHistory(history: readonly ZoneEntry[], timeZone: string, now: Date): readonly ZoneEntry[] {
  const zone = openZone(timeZone);
  if (zone === undefined) return history;
  if (history.length === 0) return [{ since: zone.dayOf(now.getTime()), time_zone: timeZone }];
  if (history.at(-1)?.time_zone === timeZone) return history;
  return [...history, { since: addDays(zone.dayOf(now.getTime()), 1), time_zone: timeZone }].slice(-entriesMax);
}

/**
 * Finds the zone of a local day: the account's history, else the account's one zone, else the user's fallback, else
 * the unknown zone. The first entry also applies to earlier days.
 */
export function createZoneFinder(account: Readonly<Record<string, unknown>>, fallbackTimeZone: string | null): (day: string) => Zone {
  const current = account['time_zone'];
  const fallback =
    (typeof current === 'string' ? openZone(current, 'provider') : undefined) ??
    (fallbackTimeZone === null ? undefined : openZone(fallbackTimeZone, 'user')) ??
    openUnknownZone();
  const opened = new Map<string, Zone>();
  const history = readZoneHistory(account).flatMap((entry) => {
    const zone = opened.get(entry.time_zone) ?? openZone(entry.time_zone, 'provider');
    if (zone === undefined) return [];
    opened.set(entry.time_zone, zone);
    return [{ since: entry.since, zone }];
  });
  return (day) => history.findLast((entry) => entry.since <= day)?.zone ?? history[0]?.zone ?? fallback;
}

/** Where the offsets of this account's zones come from: all its days have the same origin. */
export function zoneOrigin(account: Readonly<Record<string, unknown>>, fallbackTimeZone: string | null): OffsetOrigin {
  return createZoneFinder(account, fallbackTimeZone)('1970-01-01').originAt(0);
}
