import { zoneOffsetSeconds } from '@pulsewire/contract';

/** A local day as instants; 23 or 25 hours long when the clocks change. */
export interface DayBounds {
  readonly fromMs: number;
  /** Not included. */
  readonly toMs: number;
}

const dayMs = 86_400_000;

function offsetMs(zone: string, ms: number): number {
  return (zoneOffsetSeconds(zone, ms) ?? 0) * 1000;
}

/** The instant at which a local day begins. */
function startOf(day: string, zone: string): number {
  const utc = Date.parse(`${day}T00:00:00Z`);
  // The offset at the guess may be the one before or after a change of the clocks; the second pass has the right one.
  const guess = utc - offsetMs(zone, utc);
  return utc - offsetMs(zone, guess);
}

export function dayBounds(day: string, zone: string): DayBounds {
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + dayMs).toISOString().slice(0, 10);
  return { fromMs: startOf(day, zone), toMs: startOf(next, zone) };
}

/** `07:05`, on the clock of the zone. */
export function clockTime(ms: number, zone: string): string {
  return new Date(ms + offsetMs(zone, ms)).toISOString().slice(11, 16);
}

/** The day before or after, as a day. */
export function dayBeside(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}
