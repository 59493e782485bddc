import type { Person } from '../kit/person/person.ts';
import type { PersonDay, Reading, Sleep } from '../kit/person/types.ts';

const quarter = 900_000;
const hour = 3_600_000;
/** How long a person stays in bed after the night, which is not part of the night. */
const outAfterSeconds = 4230;
const napMinutes = 40;

const iso = (ms: number): string => new Date(ms).toISOString();
const floorTo = (ms: number, step: number): number => Math.floor(ms / step) * step;

type Pick = (readings: readonly Reading[]) => number;

const first: Pick = ([reading]) => reading?.value ?? 0;
const mean: Pick = (readings) => Math.round((readings.reduce((sum, { value }) => sum + value, 0) / readings.length) * 10) / 10;

/** One value for each step by the clock, so the first one is usually before the session. */
function seriesOf(readings: readonly Reading[], step: number, pick: Pick): (readonly [string, number])[] {
  return [...Map.groupBy(readings, ({ ms }) => floorTo(ms, step))].map(([ms, within]) => [iso(ms), pick(within)] as const);
}

/** A night: stages from `ts` on, with a trailing `out` after the end of the presence. */
export function sessionOf(person: Person, day: PersonDay, sleep: Sleep): Readonly<Record<string, unknown>> {
  const { startMs, endMs, stages, secondsOf, latencySeconds } = sleep;
  const asleep = secondsOf.light + secondsOf.deep + secondsOf.rem;
  return {
    id: String(startMs / 1000),
    ts: iso(startMs),
    sleepStart: iso(startMs + latencySeconds * 1000),
    sleepEnd: iso(endMs),
    presenceEnd: iso(endMs),
    duration: (endMs - startMs) / 1000,
    score: 0,
    timezone: person.zone.name,
    device: { id: '0123456789abcdef01234567', side: 'left', specialization: 'pod' },
    stages: [
      ...stages.map(({ stage, startMs: from, endMs: to }) => ({ stage, duration: (to - from) / 1000 })),
      { stage: 'out', duration: outAfterSeconds },
    ],
    stageSummary: {
      totalDuration: (endMs - startMs) / 1000,
      sleepDuration: asleep,
      outDuration: 0,
      awakeDuration: secondsOf.awake,
      lightDuration: secondsOf.light,
      deepDuration: secondsOf.deep,
      remDuration: secondsOf.rem,
      awakeBeforeSleepDuration: latencySeconds,
      wasoDuration: secondsOf.awake - latencySeconds,
      deepPercentOfSleep: secondsOf.deep / asleep,
    },
    snoring: [{ intensity: 'none', duration: 3600 }],
    timeseries: {
      heartRate: [...seriesOf(sleep.heart, quarter, first), [iso(endMs), 'None']],
      // A separate series; its values are not RMSSD.
      hrv: seriesOf(sleep.hrv, quarter, mean).map(([at, value]) => [at, value * 3]),
      rmssd: seriesOf(sleep.hrv, quarter, mean),
      respiratoryRate: seriesOf(sleep.breaths, hour, mean),
      tempBedC: [[iso(floorTo(startMs, hour)), 27 + (day.restingHr % 3)]],
      tempRoomC: [],
    },
  };
}

/** A nap in the afternoon of some days: a session without series or a summary. */
export function napOf(person: Person, day: PersonDay): Readonly<Record<string, unknown>> | null {
  const startMs = person.zone.toInstant(day.date, 14 * 3600);
  const endMs = startMs + napMinutes * 60_000;
  if (endMs + quarter > person.syncedMs()) return null;
  return {
    id: String(startMs / 1000),
    ts: iso(startMs),
    score: 0,
    timezone: person.zone.name,
    stages: [
      { stage: 'awake', duration: 300 },
      { stage: 'asleep', duration: napMinutes * 60 - 300 },
    ],
    timeseries: { heartRate: [] },
  };
}
