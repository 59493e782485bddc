import { utcDay, addDays } from '@pulsewire/kernel';

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const fields = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
  const made = new Intl.DateTimeFormat('en-US', { ...fields, timeZone, hourCycle: 'h23' });
  formats.set(timeZone, made);
  return made;
}

/** The local time of an instant in the zone, encoded as if it were UTC. */
function wallClockMs(at: number, timeZone: string): number {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  return Date.parse(`${parts['year']}-${parts['month']}-${parts['day']}T${parts['hour']}:${parts['minute']}:${parts['second']}Z`);
}

/** The local day of an instant, `YYYY-MM-DD`. */
export function localDayOf(at: Date, timeZone: string): string {
  return utcDay(wallClockMs(at.getTime(), timeZone));
}

/** The instant this many minutes after local midnight of the day. A time skipped by the change to summer time is moved forward. */
export function localInstant(day: string, minutes: number, timeZone: string): Date {
  const wanted = Date.parse(`${day}T00:00:00Z`) + minutes * 60_000;
  const guess = wanted - (wallClockMs(wanted, timeZone) - wanted);
  return new Date(guess - (wallClockMs(guess, timeZone) - wanted));
}

/** Every day from the first to the last, both inclusive. */
export function daysBetween(from: string, to: string): readonly string[] {
  const count = Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => addDays(from, index));
}
