import type { SimAccount } from '../kit/accounts/accounts.ts';
import type { Person } from '../kit/person/person.ts';
import type { PersonDay, Reading } from '../kit/person/types.ts';
import { dayNumber } from '../model/calendar.ts';

const mgPerMmol = 18.0182;
/** A gap of the sensor begins a new run of readings. */
const gapMs = 15 * 60_000;
const scanEveryMs = 4 * 3_600_000;

/** The digits of the person's clock, counted as if they were UTC. */
function floatingSeconds({ zone }: Person, ms: number): number {
  return Math.floor((ms + zone.offsetMinutes(ms) * 60_000) / 1000);
}

function runsOf(readings: readonly Reading[]): Reading[][] {
  const runs: Reading[][] = [];
  for (const reading of readings) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run && last && reading.ms - last.ms <= gapMs) run.push(reading);
    else runs.push([reading]);
  }
  return runs;
}

function dayOf(person: Person, day: PersonDay, isMmol: boolean): object {
  const show = (value: number) => (isMmol ? Math.round((value / mgPerMmol) * 10) / 10 : value);
  const known = day.glucose.filter(({ ms }) => ms <= person.syncedMs());
  // Readings of some days lack the mark.
  const isMarked = dayNumber(day.date) % 3 !== 0;
  const isTimeChange = ({ ms }: Reading) => person.zone.offsetMinutes(ms) !== person.zone.offsetMinutes(ms - gapMs);
  const scans = known.filter(({ ms }) => ms % scanEveryMs === 0);
  return {
    Date: Date.parse(`${day.date}T00:00:00Z`) / 1000,
    Glucose: runsOf(known).map((run) =>
      run.map((reading) => ({
        Timestamp: floatingSeconds(person, reading.ms),
        Value: show(reading.value),
        ...(isMarked && { IsTimeChange: isTimeChange(reading) }),
      })),
    ),
    // A list of points, unlike the readings; a scan without a result has no value.
    SensorScans: scans.map(({ ms, value }, place) => {
      return { Timestamp: floatingSeconds(person, ms), ...(place === 1 ? {} : { Value: show(value) }) };
    }),
    Notes: [],
  };
}

/** The object behind a daily log. `from` and `to` are days of the person's clock, both included. */
export function dailyLogOf({ person }: SimAccount, from: string, to: string, isMmol: boolean): { Data: { Days: object[] } } {
  return { Data: { Days: person.days(from, to).map((day) => dayOf(person, day, isMmol)) } };
}

/** The page around it, in the older form or in the newer one, where it is the second statement of its script. */
export function pageOf(report: object, isOlder: boolean): string {
  const json = JSON.stringify(report).replaceAll('<', '\\u003c');
  const script = isOlder
    ? `var DataForLibreDailyLog = ${json};`
    : `window.settings = {"title":"a } and a \\" in a text"}; window.report = ${json};`;
  return [
    '<!DOCTYPE html><html><head><meta charset="utf-8"><title>Daily Log</title>',
    `<script>${script}</script>`,
    '</head><body><div id="report"></div></body></html>',
  ].join('\n');
}
