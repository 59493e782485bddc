import { dayNumber } from '../model/calendar.ts';
import type { SimAccount } from '../kit/accounts/accounts.ts';
import type { Person } from '../kit/person/person.ts';
import type { PersonDay, Reading, Sleep, Workout } from '../kit/person/types.ts';

export type Summary = Readonly<Record<string, unknown>>;

const quarterMs = 900_000;
export const seconds = (ms: number): number => Math.floor(ms / 1000);
const offsetAt = ({ zone }: Person, ms: number): number => zone.offsetMinutes(ms) * 60;

/** The fields of every summary of a time range. */
export function spanOf({ providerUserId, person }: SimAccount, kind: string, startMs: number, endMs: number): Summary {
  return {
    userId: providerUserId,
    summaryId: `x${providerUserId}-${seconds(startMs).toString(16)}-${kind}`,
    startTimeInSeconds: seconds(startMs),
    startTimeOffsetInSeconds: offsetAt(person, startMs),
    durationInSeconds: seconds(endMs) - seconds(startMs),
  };
}

function mapOf(readings: readonly Reading[], startMs: number): Readonly<Record<string, number>> {
  return Object.fromEntries(readings.map(({ ms, value }) => [String(seconds(ms - startMs)), value]));
}

/** The same readings, split where the clocks change. */
function pieces(person: Person, readings: readonly Reading[]): readonly (readonly Reading[])[] {
  return [...Map.groupBy(readings, ({ ms }) => person.zone.offsetMinutes(ms)).values()];
}

function nightOf(account: SimAccount, kind: string, key: string, { startMs, endMs }: Sleep, readings: readonly Reading[]): Summary[] {
  return pieces(account.person, readings).map((part) => {
    const fromMs = part[0]?.ms ?? startMs;
    return { ...spanOf(account, kind, fromMs, endMs), [key]: mapOf(part, fromMs) };
  });
}

/** `untilMs` cuts the day off, as if the watch had synced before its end. */
export function dailyOf(account: SimAccount, day: PersonDay, untilMs = Math.min(day.endMs, account.person.syncedMs())): Summary {
  const share = (untilMs - day.startMs) / (Math.min(day.endMs, account.person.syncedMs()) - day.startMs || 1);
  const part = (value: number) => Math.round(value * share);
  return {
    ...spanOf(account, 'daily', day.startMs, untilMs),
    summaryId: `x${account.providerUserId}-${day.date}-daily`,
    calendarDate: day.date,
    activityType: 'WALKING',
    steps: part(day.steps),
    distanceInMeters: part(day.distanceM),
    activeTimeInSeconds: part(day.lowSeconds),
    activeKilocalories: part(day.activeKcal),
    bmrKilocalories: part(day.basalKcal),
    floorsClimbed: part(day.floors),
    moderateIntensityDurationInSeconds: part(day.mediumSeconds),
    vigorousIntensityDurationInSeconds: part(day.highSeconds),
    minHeartRateInBeatsPerMinute: day.hrMin,
    averageHeartRateInBeatsPerMinute: day.hrAverage,
    maxHeartRateInBeatsPerMinute: day.hrMax,
    restingHeartRateInBeatsPerMinute: day.restingHr,
    timeOffsetHeartRateSamples: mapOf(
      day.heart.filter(({ ms }) => ms < untilMs),
      day.startMs,
    ),
    averageStressLevel: 31,
    maxStressLevel: 88,
    stressQualifier: 'balanced',
    bodyBatteryChargedValue: 50,
    bodyBatteryDrainedValue: 60,
  };
}

/** One hour of each day is spent in a wheelchair; a watch that is not in wheelchair mode reports no pushes, or zero. */
const wheelchairHour = 15;

/** Two rows in each quarter of an hour: the walking, and the rest or the pushing. */
export function epochsOf(account: SimAccount, day: PersonDay): Summary[] {
  return day.hours.flatMap(({ startMs, endMs, steps, distanceM, activeKcal }, hour) => {
    const starts: number[] = [];
    for (let ms = startMs; ms < Math.min(endMs, account.person.syncedMs()); ms += quarterMs) starts.push(ms);
    return starts.flatMap((ms, place) => {
      const part = (whole: number) => Math.floor(whole / starts.length) + (place === 0 ? whole % starts.length : 0);
      const common = { ...spanOf(account, 'epoch', ms, ms + quarterMs), met: 1.1, meanMotionIntensity: 3, maxMotionIntensity: 5 };
      const still = { steps: 0, pushes: 0, distanceInMeters: 0, activeKilocalories: 0, activityType: 'SEDENTARY', intensity: 'SEDENTARY' };
      const pushed = hour === wheelchairHour ? { pushes: 40 + place, activityType: 'WHEELCHAIR_PUSHING', intensity: 'ACTIVE' } : {};
      const walked = { steps: part(steps), distanceInMeters: part(distanceM), activeKilocalories: part(Math.round(activeKcal * 10)) / 10 };
      return [
        { ...common, ...walked, activityType: 'WALKING', intensity: 'ACTIVE' },
        { ...common, ...still, ...pushed },
      ];
    });
  });
}

/** `share` of the night under a validation that may still change. */
export function sleepOf(account: SimAccount, day: PersonDay, sleep: Sleep, validation = 'ENHANCED_FINAL'): Summary {
  const { stages, secondsOf, startMs, endMs } = sleep;
  const spans = (name: string) =>
    stages
      .filter(({ stage }) => stage === name)
      .map((span) => ({ startTimeInSeconds: seconds(span.startMs), endTimeInSeconds: seconds(span.endMs) }));
  const isFinal = validation.endsWith('FINAL');
  return {
    ...spanOf(account, 'sleep', startMs, endMs),
    calendarDate: day.date,
    // Without the time awake.
    durationInSeconds: secondsOf.light + secondsOf.deep + secondsOf.rem - (isFinal ? 0 : 600),
    unmeasurableSleepInSeconds: 0,
    deepSleepDurationInSeconds: secondsOf.deep,
    lightSleepDurationInSeconds: secondsOf.light - (isFinal ? 0 : 600),
    remSleepInSeconds: secondsOf.rem,
    awakeDurationInSeconds: secondsOf.awake,
    sleepLevelsMap: { deep: spans('deep'), light: spans('light'), rem: spans('rem'), awake: spans('awake') },
    validation,
    timeOffsetSleepRespiration: mapOf(sleep.breaths, startMs),
    timeOffsetSleepSpo2: { '0': day.spo2, '300': -1 },
    overallSleepScore: { value: sleep.score, qualifierKey: 'GOOD' },
    naps: [],
  };
}

/** A typed-in rest every fourth day, with start and duration but no stages. */
export function manualSleepsOf(account: SimAccount, day: PersonDay): Summary[] {
  const startMs = account.person.zone.toInstant(day.date, 14 * 3600);
  const endMs = startMs + 40 * 60_000;
  if (dayNumber(day.date) % 4 !== 2 || endMs > account.person.syncedMs()) return [];
  return [{ ...spanOf(account, 'sleep', startMs, endMs), calendarDate: day.date, validation: 'MANUAL', unmeasurableSleepInSeconds: 0 }];
}

export function stressOf(account: SimAccount, day: PersonDay): Summary[] {
  if (day.stress.length === 0) return [];
  // The watch was sometimes not worn.
  const readings = day.stress.map(({ ms, value }, place) => ({ ms, value: place % 11 === 7 ? -1 - (place % 5) : value }));
  const endMs = Math.min(day.endMs, account.person.syncedMs());
  const values = mapOf(readings, day.startMs);
  return [
    {
      ...spanOf(account, 'stress', day.startMs, endMs),
      calendarDate: day.date,
      timeOffsetStressLevelValues: values,
      timeOffsetBodyBatteryValues: { '0': 55 },
    },
  ];
}

/** Every fifth night has only its average. */
export function hrvOf(account: SimAccount, day: PersonDay, sleep: Sleep): Summary[] {
  if (dayNumber(day.date) % 5 === 2) {
    const span = spanOf(account, 'hrv', sleep.startMs, sleep.endMs);
    return [{ ...span, calendarDate: day.date, lastNightAvg: sleep.hrvAverage }];
  }
  return nightOf(account, 'hrv', 'hrvValues', sleep, sleep.hrv).map((part) => ({
    ...part,
    calendarDate: day.date,
    lastNightAvg: sleep.hrvAverage,
    lastNight5MinHigh: Math.max(...sleep.hrv.map(({ value }) => value)),
  }));
}

export function respirationOf(account: SimAccount, _day: PersonDay, sleep: Sleep): Summary[] {
  const readings = sleep.breaths.map(({ ms, value }, place) => ({ ms, value: place % 17 === 5 ? -2 : value }));
  return nightOf(account, 'respiration', 'timeOffsetEpochToBreaths', sleep, readings);
}

export function pulseOxOf(account: SimAccount, day: PersonDay, sleep: Sleep): Summary[] {
  const readings = sleep.heart.filter((_, place) => place % 12 === 0).map(({ ms }, place) => ({ ms, value: place === 1 ? -1 : day.spo2 }));
  return nightOf(account, 'pulseox', 'timeOffsetSpo2Values', sleep, readings).map((part) => ({
    ...part,
    calendarDate: day.date,
    onDemand: false,
  }));
}

export function skinTempOf(account: SimAccount, day: PersonDay, sleep: Sleep): Summary[] {
  return [{ ...spanOf(account, 'skin', sleep.startMs, sleep.endMs), calendarDate: day.date, avgDeviationCelsius: sleep.temperatureDelta }];
}

export function bodyCompsOf({ providerUserId, person }: SimAccount, day: PersonDay): Summary[] {
  return day.weighings.map(({ id, ms, kg, fatPercent }) => ({
    userId: providerUserId,
    summaryId: `x${id}-body`,
    measurementTimeInSeconds: seconds(ms),
    measurementTimeOffsetInSeconds: offsetAt(person, ms),
    weightInGrams: Math.round(kg * 1000),
    bodyFatInPercent: fatPercent,
    bodyMassIndex: 22.4,
    muscleMassInGrams: 31_000,
    boneMassInGrams: 3100,
    bodyWaterInPercent: 55.2,
  }));
}

export function bloodPressuresOf({ providerUserId, person }: SimAccount, day: PersonDay): Summary[] {
  return day.bloodPressures.map(({ id, ms, systolic, diastolic, pulse }) => ({
    userId: providerUserId,
    summaryId: `x${id}-bp`,
    measurementTimeInSeconds: seconds(ms),
    measurementTimeOffsetInSeconds: offsetAt(person, ms),
    systolic,
    diastolic,
    pulse,
    // Sometimes typed in.
    sourceType: dayNumber(day.date) % 2 === 0 ? 'MANUAL' : 'DEVICE',
  }));
}

export function userMetricsOf({ providerUserId }: SimAccount, day: PersonDay): Summary[] {
  if (!day.isComplete) return [];
  const summaryId = `x${providerUserId}-${day.date}-metrics`;
  return [{ userId: providerUserId, summaryId, calendarDate: day.date, vo2Max: day.vo2Max, fitnessAge: 31 }];
}

const activityTypes = { running: 'RUNNING', cycling: 'ROAD_BIKING', walking: 'WALKING' } as const;

export function activityOf(account: SimAccount, workout: Workout): Summary {
  const { startMs, endMs } = workout;
  const speed = workout.distanceM / workout.movingSeconds;
  // Walks are typed in.
  const isManual = workout.sport === 'walking';
  return {
    ...spanOf(account, 'activity', startMs, endMs),
    summaryId: workout.id,
    activityId: Number(workout.id),
    activityName: workout.title,
    activityType: activityTypes[workout.sport],
    distanceInMeters: workout.distanceM,
    activeKilocalories: workout.kcal,
    ...(workout.steps > 0 && { steps: workout.steps }),
    averageHeartRateInBeatsPerMinute: workout.hrAverage,
    maxHeartRateInBeatsPerMinute: workout.hrMax,
    averageSpeedInMetersPerSecond: Math.round(speed * 1000) / 1000,
    maxSpeedInMetersPerSecond: 14.2,
    totalElevationGainInMeters: workout.elevationM,
    startingLatitudeInDegree: workout.track[0]?.lat,
    startingLongitudeInDegree: workout.track[0]?.lng,
    deviceName: isManual ? 'unknown' : 'Forerunner',
    manual: isManual,
    isWebUpload: false,
  };
}

export function activityDetailOf(account: SimAccount, workout: Workout): Summary {
  const summary = activityOf(account, workout);
  const isRide = workout.sport === 'cycling';
  return {
    userId: account.providerUserId,
    summaryId: `${workout.id}-detail`,
    activityId: summary['activityId'],
    summary,
    samples: workout.track.map((point) => ({
      startTimeInSeconds: seconds(point.ms),
      latitudeInDegree: point.lat,
      longitudeInDegree: point.lng,
      elevationInMeters: point.altitudeM,
      airTemperatureCelcius: 19,
      heartRate: point.bpm,
      speedMetersPerSecond: point.speedMs,
      ...(isRide ? { bikeCadenceInRPM: point.cadence, powerInWatts: point.watts } : { stepsPerMinute: point.cadence }),
      totalDistanceInMeters: point.distanceM,
      timerDurationInSeconds: seconds(point.ms - workout.startMs),
      clockDurationInSeconds: seconds(point.ms - workout.startMs),
      movingDurationInSeconds: seconds(point.ms - workout.startMs),
    })),
    laps: [],
  };
}
