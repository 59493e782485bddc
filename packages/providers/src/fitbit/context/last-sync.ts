import { addDays } from '../../kit/time/days.ts';
import { parseWallClock } from '../../kit/time/time.ts';
import type { PullWindow } from '../../kit/types/connector.ts';
import { openUnknownZone, openZone, type Zone } from '../../kit/time/zone.ts';

type Facts = Readonly<Record<string, unknown>>;

/** Days before today that every poll reads again; polls that read more are rare while notifications arrive. */
const polledDays = 1;

function syncTimeOf(device: unknown): string | undefined {
  if (typeof device !== 'object' || device === null) return undefined;
  const { type, last_sync_time: time } = device as { readonly type?: unknown; readonly last_sync_time?: unknown };
  // A scale uploads weighings only; its sync time does not apply to minutes.
  return type === 'TRACKER' && typeof time === 'string' && parseWallClock(time) !== undefined ? time : undefined;
}

/** When a tracker of the account was last read, on the account's wall clock; null when no tracker is known. */
function lastSyncTime(account: Facts): string | null {
  const devices: unknown[] = Array.isArray(account['devices']) ? account['devices'] : [];
  const times = devices.map(syncTimeOf).filter((time) => time !== undefined);
  return times.toSorted((a, b) => (parseWallClock(a) ?? 0) - (parseWallClock(b) ?? 0)).at(-1) ?? null;
}

function zoneOf({ time_zone: name }: Facts, fallbackTimeZone: string | null): Zone {
  const named = typeof name === 'string' ? openZone(name) : undefined;
  return named ?? (fallbackTimeZone === null ? undefined : openZone(fallbackTimeZone)) ?? openUnknownZone();
}

/**
 * Until when Fitbit has an account's minutes, in ms since the epoch; null when no tracker is known. Later minutes in its responses are
 * placeholders: zeros, or the basal rate. In a repeated hour the earlier instant applies, so that no placeholder is taken for data.
 */
export function syncedUntil(account: Facts, fallbackTimeZone: string | null): number | null {
  const wallMs = parseWallClock(lastSyncTime(account) ?? '');
  return wallMs === undefined ? null : zoneOf(account, fallbackTimeZone).toInstant(wallMs).ms;
}

/**
 * The days that a sync has completed in addition to those that polls reread: from the previously known sync on. Undefined when there are
 * none. Both syncs are on the account's wall clock.
 */
export function daysCompleted(previous: Facts, account: Facts, now: Date): PullWindow | undefined {
  const [before, after] = [lastSyncTime(previous)?.slice(0, 10), lastSyncTime(account)?.slice(0, 10)];
  if (before === undefined || after === undefined || after <= before) return undefined;
  const today = zoneOf(account, null).dayOf(now.getTime());
  return before < addDays(today, -polledDays) ? { startDate: before, endDate: after } : undefined;
}
