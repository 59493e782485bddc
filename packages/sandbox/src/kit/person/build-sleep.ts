import { minuteMs } from '@pulsewire/kernel';
import { addDays } from '../../model/calendar.ts';
import { between, longIdOf, unitOf } from '../../model/seeded.ts';
import { once } from './once.ts';
import { uuidOf } from './uuid-of.ts';
import type { DayPlan } from './day-plan.ts';
import type { Reading, Sleep, Stage, StageSpan } from './types.ts';

const epochMs = 5 * minuteMs;
const order: readonly Stage[] = ['light', 'deep', 'light', 'rem', 'awake'];

/** Consecutive stages without gaps, in the order of a real night and with made-up lengths. */
function stagesOf(key: string, startMs: number, endMs: number): StageSpan[] {
  const spans: StageSpan[] = [{ stage: 'awake', startMs, endMs: startMs + 2 * epochMs }];
  for (let fromMs = startMs + 2 * epochMs, place = 0; fromMs < endMs; place++) {
    const stage = order[place % order.length] ?? 'light';
    const epochs = stage === 'awake' ? 1 : between(`${key}|${place}`, 3, 9);
    const toMs = Math.min(endMs, fromMs + epochs * epochMs);
    spans.push({ stage, startMs: fromMs, endMs: toMs });
    fromMs = toMs;
  }
  return spans;
}

function average(readings: readonly Reading[]): number {
  return Math.round((readings.reduce((sum, { value }) => sum + value, 0) / readings.length) * 10) / 10;
}

/** The complete night that ends on the day of the plan. */
export function buildSleep({ name, zone, date, revision, revisedMs }: DayPlan): Sleep {
  const key = `${name}|sleep|${date}`;
  const floor = (ms: number) => Math.floor(ms / epochMs) * epochMs;
  const startMs = floor(zone.toInstant(addDays(date, -1), 22 * 3600 + between(`${key}|bed`, 20, 90) * 60));
  const endMs = floor(zone.toInstant(date, 6 * 3600 + between(`${key}|up`, 0, 80) * 60));
  const stages = stagesOf(key, startMs, endMs);
  const secondsOf: Record<Stage, number> = { awake: 0, light: 0, deep: 0, rem: 0 };
  for (const { stage, startMs: from, endMs: to } of stages) secondsOf[stage] += (to - from) / 1000;
  const every = (of: string, low: number, range: number) =>
    once((): Reading[] => {
      const found: Reading[] = [];
      for (let ms = startMs; ms < endMs; ms += epochMs)
        found.push({ ms, value: low + revision + Math.floor(unitOf(`${key}|${of}|${ms}`) * range) });
      return found;
    });
  const heart = every('hr', 46, 14);
  const hrv = every('hrv', 40, 40);
  const breaths = every('br', 13, 3);
  const total = (endMs - startMs) / 1000;
  return {
    id: String(longIdOf(key)),
    uuid: uuidOf(key),
    startMs,
    endMs,
    stages,
    secondsOf,
    latencySeconds: (2 * epochMs) / 1000,
    efficiency: Math.round(((total - secondsOf.awake) / total) * 100),
    score: between(`${key}|score`, 60, 90) + (revision % 9),
    get heart() {
      return heart();
    },
    get hrv() {
      return hrv();
    },
    get breaths() {
      return breaths();
    },
    get hrLowest() {
      return Math.min(...heart().map(({ value }) => value));
    },
    get hrAverage() {
      return average(heart());
    },
    get hrvAverage() {
      return Math.round(average(hrv()));
    },
    get respiratoryRate() {
      return average(breaths());
    },
    temperatureDelta: (between(`${key}|temp`, -8, 8) + (revision % 5)) / 10,
    updatedMs: Math.max(endMs + 10 * minuteMs, revisedMs),
  };
}
