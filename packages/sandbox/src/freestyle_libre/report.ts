import { utcDay } from '@pulsewire/kernel';
import type { Person } from '../kit/person/person.ts';
import type { Reading } from '../kit/person/types.ts';

const mgPerMmol = 18.0182;
/** A gap of the sensor begins a new run of readings. */
const gapMs = 15 * 60_000;

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

/** The object behind a daily log: days of runs of readings, in mmol/L to one decimal, up to the last upload. */
export function dailyLogOf(person: Person, startMs: number, endMs: number): { Data: { Days: object[] } } {
  const dayOf = (ms: number) => utcDay(ms);
  const days = person.days(dayOf(startMs), dayOf(endMs));
  return {
    Data: {
      Days: days.map(({ date, glucose }) => ({
        Date: Date.parse(`${date}T00:00:00Z`) / 1000,
        Glucose: runsOf(glucose.filter(({ ms }) => ms <= person.syncedMs())).map((run) =>
          run.map(({ ms, value }) => ({
            Timestamp: floatingSeconds(person, ms),
            Value: Math.round((value / mgPerMmol) * 10) / 10,
            IsTimeChange: false,
          })),
        ),
        Notes: [],
      })),
    },
  };
}

/** The page around it, with other content that may be in one. */
export function pageOf(report: object): string {
  const json = JSON.stringify(report).replaceAll('<', '\\u003c');
  return [
    '<!DOCTYPE html><html><head><meta charset="utf-8"><title>Daily Log</title>',
    '<script>window.Settings = {"title":"a } and a \\" in a text"};</script>',
    `<script>window.Report = ${json};</script>`,
    '</head><body><div id="report"></div></body></html>',
  ].join('\n');
}
