import { minuteMs } from '@pulsewire/kernel';
import { dayNumber } from '../model/calendar.ts';
import type { Person } from '../kit/person/person.ts';
import type { PersonDay, Reading, Sleep, Stage, Workout } from '../kit/person/types.ts';

const hypnogramCodes: Readonly<Record<Stage, number>> = { awake: 0, rem: 1, light: 3, deep: 4 };

const clockText = ({ zone }: Person, ms: number): string => zone.localText(ms).slice(11, 16);
const localText = ({ zone }: Person, ms: number): string => zone.localText(ms).slice(0, 19);
const offsetText = ({ zone }: Person, ms: number): string => `${zone.localText(ms).slice(0, 19)}${zone.offsetText(ms).slice(-6)}`;
const byClock = (person: Person, readings: readonly Reading[]): object =>
  Object.fromEntries(readings.map(({ ms, value }) => [clockText(person, ms), value]));
const isoDuration = (ms: number): string => `PT${Math.floor(ms / 3_600_000)}H${Math.floor((ms % 3_600_000) / minuteMs)}M`;

/** Exercises have short opaque ids. */
export const exerciseId = ({ uuid }: Pick<Workout, 'uuid'>): string => uuid.slice(0, 8);

export function activityOf(person: Person, day: PersonDay): object {
  const samples = day.hours.map(({ startMs, steps }) => ({ steps, timestamp: localText(person, startMs) }));
  return {
    start_time: `${day.date}T00:00:00`,
    end_time: `${day.date}T23:59:59`,
    active_duration: isoDuration((day.lowSeconds + day.mediumSeconds + day.highSeconds) * 1000),
    inactive_duration: 'PT9H2M',
    daily_activity: 89.1,
    calories: day.activeKcal + day.basalKcal,
    active_calories: day.activeKcal,
    steps: day.steps,
    distance_from_steps: day.distanceM,
    inactivity_alert_count: 1,
    samples: { date: day.date, steps: { interval_ms: minuteMs, total_steps: day.steps, samples } },
  };
}

export function nightOf(person: Person, date: string, sleep: Sleep): object {
  const { secondsOf } = sleep;
  return {
    polar_user: 'https://www.polaraccesslink/v3/users/1',
    date,
    sleep_start_time: offsetText(person, sleep.startMs),
    sleep_end_time: offsetText(person, sleep.endMs),
    device_id: '1111AAAA',
    continuity: 2.1,
    continuity_class: 2,
    light_sleep: secondsOf.light,
    deep_sleep: secondsOf.deep,
    rem_sleep: secondsOf.rem,
    unrecognized_sleep_stage: 0,
    total_interruption_duration: secondsOf.awake,
    sleep_score: sleep.score,
    sleep_goal: 28_800,
    sleep_cycles: 5,
    hypnogram: Object.fromEntries(
      sleep.stages.map(({ stage, startMs }, index) => [
        clockText(person, startMs),
        stage === 'light' && index % 2 === 1 ? 2 : hypnogramCodes[stage],
      ]),
    ),
    heart_rate_samples: byClock(person, sleep.heart),
  };
}

export function rechargeOf(person: Person, date: string, sleep: Sleep): object {
  return {
    polar_user: 'https://www.polaraccesslink/v3/users/1',
    date,
    heart_rate_avg: sleep.hrAverage,
    beat_to_beat_avg: Math.round(60_000 / sleep.hrAverage),
    heart_rate_variability_avg: sleep.hrvAverage,
    breathing_rate_avg: sleep.respiratoryRate,
    nightly_recharge_status: 4,
    ans_charge: 1.2,
    ans_charge_status: 3,
    hrv_samples: byClock(person, sleep.hrv),
    breathing_samples: byClock(person, sleep.breaths),
  };
}

export function heartOf(person: Person, day: PersonDay): object | undefined {
  if (day.heart.length === 0) return undefined;
  const samples = day.heart.map(({ ms, value }) => ({ heart_rate: value, sample_time: localText(person, ms).slice(11) }));
  return {
    polar_user: 'https://www.polaraccesslink/v3/users/1',
    date: `${day.date}${dayNumber(day.date) % 3 === 0 ? 'T00:00:00' : ''}`,
    heart_rate_samples: samples,
  };
}

export function exerciseOf(person: Person, workout: Workout, more: { readonly samples: boolean; readonly route: boolean }): object {
  const { track } = workout;
  const series = (type: string, values: readonly (number | null)[]) => ({
    'recording-rate': 10,
    'sample-type': type,
    data: values.map((value) => (value === null ? 'null' : String(value))).join(','),
  });
  const samples = [
    // The strap sometimes slips.
    series(
      '0',
      track.map(({ bpm }, index) => (index % 13 === 5 ? null : bpm)),
    ),
    series(
      '1',
      track.map(({ speedMs }) => Math.round(speedMs * 36) / 10),
    ),
    series(
      '3',
      track.map(({ altitudeM }) => altitudeM),
    ),
    series(
      '10',
      track.map(({ distanceM }) => distanceM),
    ),
  ];
  const route = track.map(({ ms, lat, lng }) => ({
    latitude: lat,
    longitude: lng,
    time: `PT${(ms - workout.startMs) / 1000}S`,
    satellites: 9,
    fix: 2,
  }));
  return {
    id: exerciseId(workout),
    upload_time: new Date(workout.updatedMs).toISOString().slice(0, 19),
    device: 'Polar Vantage V3',
    device_id: '1111AAAA',
    // Local time; some devices append a Z, which does not make it UTC.
    start_time: `${localText(person, workout.startMs)}${workout.sport === 'cycling' ? 'Z' : ''}`,
    start_time_utc_offset: person.zone.offsetMinutes(workout.startMs),
    duration: isoDuration(workout.endMs - workout.startMs),
    calories: workout.kcal,
    distance: workout.distanceM,
    heart_rate: { average: workout.hrAverage, maximum: workout.hrMax },
    training_load: 143.22,
    sport: workout.sport.toUpperCase(),
    detailed_sport_info: workout.sport === 'cycling' ? 'ROAD_CYCLING' : workout.sport.toUpperCase(),
    has_route: true,
    heart_rate_zones: [{ index: 1, 'lower-limit': 110, 'upper-limit': 130, 'in-zone': 'PT4S' }],
    ...(more.samples && { samples }),
    ...(more.route && { route }),
  };
}

/** The profile, with the weight of the last weighing and the fitness of the last whole day. */
export function physicalOf(person: Person): object {
  const days = person.days(person.firstDate, person.today()).toReversed();
  const weighing = days.find(({ weighings }) => weighings.length > 0)?.weighings[0];
  return {
    weight: weighing?.kg,
    height: person.heightCm,
    vo2_max: days.find(({ isComplete }) => isComplete)?.vo2Max,
    birthday: person.birthDate,
    gender: person.sex.toUpperCase(),
    modified: new Date(weighing?.ms ?? 0).toISOString(),
  };
}

/** A test that worked, and one on a cold hand. */
export function spo2Of(person: Person, day: PersonDay): object[] {
  const ms = person.zone.toInstant(day.date, 9 * 3600);
  if (ms > person.syncedMs() || person.isRemoved(ms)) return [];
  const test = (afterMs: number, status: string, percent: number) => ({
    source_device_id: '1111AAAA',
    test_time: (ms + afterMs) / 1000,
    time_zone_offset: person.zone.offsetMinutes(ms),
    test_status: status,
    blood_oxygen_percent: percent,
    average_heart_rate_bpm: day.restingHr,
  });
  return [test(0, 'SPO2_TEST_FAILED', 12), test(minuteMs, 'SPO2_TEST_PASSED', day.spo2)];
}

const ecgHertz = 130;
const ecgSeconds = 3;

/** A height of the curve, mV: a peak at each beat, a small wave behind it. */
function voltageAt(ms: number, bpm: number): number {
  const place = (ms % Math.round(60_000 / bpm)) / 1000;
  const bump = (at: number, width: number, height: number) => height * Math.exp(-(((place - at) / width) ** 2));
  return Math.round((bump(0.1, 0.012, 1.1) - bump(0.13, 0.01, 0.2) + bump(0.35, 0.05, 0.25)) * 1000) / 1000;
}

/** A test at the wrist, once in four days; shorter than the half minute of a watch. */
export function ecgOf(person: Person, day: PersonDay): object[] {
  const ms = person.zone.toInstant(day.date, 9 * 3600 + 1800);
  if (person.isRemoved(ms)) return [];
  if (ms + ecgSeconds * 1000 > person.syncedMs() || Math.floor(day.startMs / 86_400_000) % 4 !== 0) return [];
  const samples = Array.from({ length: ecgHertz * ecgSeconds }, (_, index) => {
    const afterMs = Math.round((index * 1000) / ecgHertz);
    return { recording_time_delta_ms: afterMs, amplitude_mv: voltageAt(afterMs, day.restingHr) };
  });
  return [
    {
      source_device_id: '1111AAAA',
      test_time: ms / 1000,
      time_zone_offset: person.zone.offsetMinutes(ms),
      average_heart_rate_bpm: day.restingHr,
      heart_rate_variability_ms: 0,
      heart_rate_variability_level: 'ECG_HRV_LEVEL_NO_BASELINE',
      rri_ms: Math.round(60_000 / day.restingHr),
      samples,
      quality_measurements: [{ recording_time_delta_ms: 0, quality_level: 'ECG_QUALITY_HIGH' }],
    },
  ];
}

export function skinTemperatureOf(_person: Person, { date, sleeps: [sleep], skinCelsius }: PersonDay): object[] {
  if (!sleep) return [];
  return [{ sleep_date: date, sleep_time_skin_temperature_celsius: skinCelsius, deviation_from_baseline_celsius: sleep.temperatureDelta }];
}

export function bodyTemperatureOf(person: Person, { date, skinCelsius }: PersonDay): object[] {
  const ms = person.zone.toInstant(date, 10 * 3600);
  if (ms + 10 * minuteMs > person.syncedMs()) return [];
  const utc = (atMs: number) => new Date(atMs).toISOString().slice(0, 19);
  return [
    {
      source_device_id: '1111AAAA',
      measurement_type: 'TM_SKIN_TEMPERATURE',
      start_time: utc(ms),
      end_time: utc(ms + 10 * minuteMs),
      samples: [0, 1].map((index) => ({ temperature_celsius: skinCelsius, recording_time_delta_milliseconds: index * 5 * minuteMs })),
    },
  ];
}
