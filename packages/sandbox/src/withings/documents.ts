import { minuteMs } from '@pulsewire/kernel';
import type { Person } from '../kit/person/person.ts';
import type { PersonDay, Reading, Sleep, Stage, Workout } from '../kit/person/types.ts';

export const seconds = (ms: number): number => Math.floor(ms / 1000);
const states: Readonly<Record<Stage, number>> = { awake: 0, light: 1, deep: 2, rem: 3 };
const categories: Readonly<Record<Workout['sport'], number>> = { walking: 1, running: 2, cycling: 6 };
const measure = (type: number, value: number, digits: number) => ({ value: Math.round(value * 10 ** digits), type, unit: -digits });

/** A group of measures with the instant by which it is found. */
export interface Group {
  readonly ms: number;
  readonly body: Readonly<Record<string, unknown>> & { readonly measures: readonly { readonly type: number }[] };
}

/** Name and number of the device that measured; typed-in values have neither. */
const devices = {
  scale: { deviceid: 'ab12', hash_deviceid: 'ab12', model: 'Body Cardio', modelid: 6 },
  cuff: { deviceid: 'ef56', hash_deviceid: 'ef56', model: 'BPM Connect', modelid: 45 },
  thermometer: { deviceid: 'gh78', hash_deviceid: 'gh78', model: 'Thermo', modelid: 70 },
  watch: { deviceid: 'cd34', hash_deviceid: 'cd34', model: 'ScanWatch', modelid: 93 },
  none: { deviceid: null, hash_deviceid: null, model: null, modelid: null },
} as const;

function group(
  id: string,
  ms: number,
  updatedMs: number,
  measures: readonly { readonly type: number }[],
  by: keyof typeof devices = 'scale',
  attrib = 0,
): Group {
  const device = { ...devices[by], comment: null };
  const times = { date: seconds(ms), created: seconds(ms) + 10, modified: seconds(updatedMs) };
  return { ms, body: { grpid: Number(id.slice(-15)), attrib, ...times, category: 1, ...device, measures } };
}

/** What was measured on a day: weight, pressure, and a thermometer and a watch's readings; and sometimes a guest on the scale. */
export function groupsOf(person: Person, day: PersonDay): Group[] {
  const at = (hour: number): number => person.zone.toInstant(day.date, hour * 3600);
  const weighings = day.weighings.flatMap(({ id, ms, kg, fatPercent }) => [
    group(id, ms, day.updatedMs, [
      measure(1, kg, 3),
      measure(6, fatPercent, 1),
      measure(5, kg * (1 - fatPercent / 100), 2),
      measure(76, kg * 0.4, 2),
      measure(77, kg * 0.55, 2),
      measure(88, 3.1, 2),
    ]),
    // The scale also measures the pulse, as a separate group.
    group(`${id.slice(0, -1)}8`, ms + 20_000, day.updatedMs, [measure(11, day.restingHr + 6, 0)]),
    group(`${id.slice(0, -1)}9`, ms + 30 * minuteMs, day.updatedMs, [measure(1, 41.5, 3)], 'scale', 1),
  ]);
  const pressures = day.bloodPressures.map(({ id, ms, systolic, diastolic, pulse }) =>
    group(id, ms, day.updatedMs, [measure(10, systolic, 0), measure(9, diastolic, 0), measure(11, pulse, 0)], 'cuff'),
  );
  const spots: readonly (readonly [number, readonly { readonly type: number }[], keyof typeof devices])[] = [
    [9, [measure(54, day.spo2, 1)], 'watch'],
    [10, [measure(71, 36.6 + (day.restingHr % 5) / 10, 2)], 'thermometer'],
    [11, [measure(73, day.skinCelsius, 2)], 'watch'],
    [12, [measure(123, day.vo2Max, 1)], 'watch'],
  ];
  const readings = spots
    .filter(([hour]) => at(hour) <= person.syncedMs())
    .map(([hour, measures, by]) => group(`${hour}${day.date.replaceAll('-', '')}`, at(hour), day.updatedMs, measures, by));
  return [...weighings, ...pressures, ...readings];
}

export function heightGroup(person: Person): Group {
  const ms = person.zone.toInstant(person.firstDate, 0);
  return group('4', ms, ms, [measure(4, person.heightCm / 100, 2)], 'none', 4);
}

export function activityOf(person: Person, day: PersonDay): Readonly<Record<string, unknown>> {
  return {
    date: day.date,
    timezone: person.zone.name,
    deviceid: 'cd34',
    brand: 1,
    is_tracker: true,
    model: 59,
    modelid: 59,
    modified: seconds(day.updatedMs),
    steps: day.steps,
    distance: day.distanceM,
    elevation: day.floors,
    soft: day.lowSeconds,
    moderate: day.mediumSeconds,
    intense: day.highSeconds,
    active: day.mediumSeconds + day.highSeconds,
    calories: day.activeKcal,
    totalcalories: day.activeKcal + day.basalKcal,
    hr_average: day.hrAverage,
    hr_min: day.hrMin,
    hr_max: day.hrMax,
    hr_zone_0: 0,
  };
}

/** Entries of a day by their instant: movement by the hour, the heart every five minutes. */
export function intradayOf(day: PersonDay): Map<number, Record<string, number>> {
  const entries = new Map<number, Record<string, number>>();
  const put = (ms: number, values: Record<string, number>) => void entries.set(ms, { ...entries.get(ms), ...values });
  for (const { startMs, endMs, steps, distanceM, activeKcal } of day.hours) {
    put(startMs, { steps, distance: distanceM, calories: activeKcal, elevation: 0, duration: seconds(endMs - startMs) });
  }
  for (const { ms, value } of day.heart) put(ms, { heart_rate: value });
  for (const { ms, value } of day.heart.filter((_, index) => index % 24 === 7)) put(ms, { spo2_auto: 94 + (value % 5) });
  return entries;
}

/** Another app's recordings, imported from Google Fit: no device. */
const otherApp = { model: 1055, deviceid: null };

/** Walks are another app's. */
export function workoutOf(person: Person, date: string, workout: Workout): Readonly<Record<string, unknown>> {
  return {
    id: Number(workout.id.slice(-15)),
    category: categories[workout.sport],
    timezone: person.zone.name,
    attrib: 0,
    startdate: seconds(workout.startMs),
    enddate: seconds(workout.endMs),
    date,
    modified: seconds(workout.updatedMs),
    ...(workout.sport === 'walking' ? otherApp : { model: 59, deviceid: 'cd34' }),
    data: {
      calories: workout.kcal,
      intensity: 50,
      manual_distance: 0,
      manual_calories: 0,
      distance: workout.distanceM,
      steps: workout.steps,
      elevation: 0,
      hr_average: workout.hrAverage,
      hr_min: 90,
      hr_max: workout.hrMax,
      pause_duration: 60,
      spo2_average: 0,
    },
  };
}

export function nightOf(person: Person, date: string, sleep: Sleep): Readonly<Record<string, unknown>> {
  const { secondsOf } = sleep;
  const asleep = secondsOf.light + secondsOf.deep + secondsOf.rem;
  return {
    id: Number(sleep.id.slice(-15)),
    timezone: person.zone.name,
    model: 16,
    model_id: 93,
    hash_deviceid: 'cd34',
    startdate: seconds(sleep.startMs),
    enddate: seconds(sleep.endMs),
    date,
    created: seconds(sleep.endMs),
    modified: seconds(sleep.updatedMs),
    data: {
      total_timeinbed: seconds(sleep.endMs - sleep.startMs),
      total_sleep_time: asleep,
      asleepduration: asleep,
      lightsleepduration: secondsOf.light,
      deepsleepduration: secondsOf.deep,
      remsleepduration: secondsOf.rem,
      wakeupduration: secondsOf.awake,
      wakeupcount: 3,
      sleep_efficiency: sleep.efficiency / 100,
      sleep_latency: sleep.latencySeconds,
      hr_average: sleep.hrAverage,
      hr_min: sleep.hrLowest,
      hr_max: 80,
      rr_average: sleep.respiratoryRate,
      sleep_score: sleep.score,
      apnea_hypopnea_index: 3 + (sleep.score % 4),
    },
  };
}

export function stretchesOf(sleep: Sleep): Readonly<Record<string, unknown>>[] {
  const within = (readings: readonly Reading[], fromMs: number, toMs: number) =>
    Object.fromEntries(readings.filter(({ ms }) => ms >= fromMs && ms < toMs).map(({ ms, value }) => [seconds(ms), value]));
  return sleep.stages.map(({ stage, startMs, endMs }) => ({
    startdate: seconds(startMs),
    enddate: seconds(endMs),
    state: states[stage],
    model: 'Activite Step',
    hash_deviceid: 'cd34',
    hr: within(sleep.heart, startMs, endMs),
    rr: within(sleep.breaths, startMs, endMs),
    rmssd: within(sleep.hrv, startMs, endMs),
  }));
}

/** A recording every second day at nine, of a hundred values. */
export function recordingOf(
  person: Person,
  day: PersonDay,
): { readonly ms: number; readonly body: Readonly<Record<string, unknown>> } | undefined {
  const ms = person.zone.toInstant(day.date, 9 * 3600);
  if (Number(day.date.slice(-2)) % 2 === 1 || ms > person.syncedMs() || person.isRemoved(ms)) return undefined;
  const ecg = { signalid: Number(day.date.replaceAll('-', '')), afib: 0 };
  return { ms, body: { deviceid: 'cd34', model: 44, ecg, heart_rate: day.restingHr, timestamp: seconds(ms), timezone: person.zone.name } };
}

export const signal = Array.from({ length: 100 }, (_, index) => Math.round(Math.sin(index / 5) * 800));
