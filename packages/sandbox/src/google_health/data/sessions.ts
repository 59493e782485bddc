import type { SimAccount } from '../../kit/accounts/accounts.ts';
import { dayNumber } from '../../model/calendar.ts';
import { longIdOf } from '../../model/seeded.ts';
import type { Sleep, Stage, StageSpan, Workout } from '../../kit/person/types.ts';
import { activityScope, type DataType, type Fields, type Point } from './data-type.ts';
import { naps } from './naps.ts';
import { derived, exerciseTracker } from './sources.ts';
import { swimExercises } from './swims.ts';
import { instantText, offsetText } from './times.ts';

const common = { record: 'session', operations: ['list', 'get', 'reconcile'] } as const;
const minutes = (seconds: number): string => String(Math.round(seconds / 60));
/** Creation and update have microseconds. */
const precise = (ms: number): string => new Date(ms).toISOString().replace('Z', '123Z');

/** Every second time awake between stages is a short awakening: it overlaps the stage before, which continues. */
function splitStages(stages: readonly StageSpan[]): { readonly stages: readonly StageSpan[]; readonly short: readonly StageSpan[] } {
  const whole: StageSpan[] = [];
  const short: StageSpan[] = [];
  let awakenings = 0;
  for (const span of stages) {
    const before = whole.at(-1);
    if (span.stage === 'awake' && before && before.stage !== 'awake' && awakenings++ % 2 === 0) {
      whole[whole.length - 1] = { ...before, endMs: span.endMs };
      short.push(span);
    } else whole.push(span);
  }
  return { stages: whole, short };
}

/** How long the stages of a night take to compute after the tracker was synced. */
const processingMs = 30 * 60_000;

function sleepFields({ person: { zone, syncedMs } }: SimAccount, night: Sleep): Fields {
  const { startMs, endMs, secondsOf, latencySeconds, updatedMs } = night;
  const times = { createTime: precise(endMs + 600_000), updateTime: precise(updatedMs) };
  if (syncedMs() < endMs + processingMs) {
    // Only the period is known; the flag is left out while it is false.
    const summary = { minutesInSleepPeriod: minutes((endMs - startMs) / 1000) };
    return { metadata: { mainSleep: true, externalId: night.id }, summary, ...times };
  }
  const { stages, short } = splitStages(night.stages);
  const written = (span: StageSpan): Fields => ({
    startTime: instantText(span.startMs),
    startUtcOffset: offsetText(zone, span.startMs),
    endTime: instantText(span.endMs),
    endUtcOffset: offsetText(zone, span.endMs),
    type: span.stage.toUpperCase(),
    ...times,
  });
  const kinds: readonly Stage[] = ['deep', 'light', 'rem', 'awake'];
  return {
    type: 'STAGES',
    stages: stages.map(written),
    ...(short.length > 0 && { shortAwakenings: short.map(written) }),
    // Flags that are false are left out.
    metadata: { stagesStatus: 'SUCCEEDED', processed: true, mainSleep: true, externalId: night.id },
    summary: {
      minutesInSleepPeriod: minutes((endMs - startMs) / 1000),
      minutesAsleep: minutes(secondsOf.light + secondsOf.deep + secondsOf.rem),
      minutesAwake: minutes(secondsOf.awake),
      minutesToFallAsleep: minutes(latencySeconds),
      minutesAfterWakeUp: '0',
      stagesSummary: kinds.map((stage) => ({
        type: stage.toUpperCase(),
        minutes: minutes(secondsOf[stage]),
        count: String(night.stages.filter((span) => span.stage === stage).length),
      })),
    },
    ...times,
  };
}

const exerciseTypes = { running: 'RUNNING', cycling: 'BIKING', walking: 'WALKING' } as const;

function exerciseFields(workout: Workout): Fields {
  const { sport, title, startMs, endMs, movingSeconds, distanceM, kcal, steps, hrAverage, elevationM, track, updatedMs } = workout;
  return {
    exerciseType: exerciseTypes[sport],
    displayName: title,
    activeDuration: `${movingSeconds}s`,
    exerciseMetadata: track.length > 0 ? { hasGps: true } : {},
    metricsSummary: {
      caloriesKcal: kcal,
      distanceMillimeters: distanceM * 1000,
      ...(sport !== 'cycling' && { steps: String(steps) }),
      averageSpeedMillimetersPerSecond: Math.round((distanceM * 1000) / movingSeconds),
      ...(distanceM > 0 && { averagePaceSecondsPerMeter: movingSeconds / distanceM }),
      averageHeartRateBeatsPerMinute: String(hrAverage),
      elevationGainMillimeters: elevationM * 1000,
      activeZoneMinutes: '22',
      heartRateZoneDurations: { lightTime: '300s', moderateTime: '900s', vigorousTime: '120.5s' },
    },
    ...((endMs - startMs) / 1000 > movingSeconds && {
      exerciseEvents: [
        { eventTime: instantText(startMs + 300_000), exerciseEventType: 'PAUSE' },
        { eventTime: instantText(startMs + 360_000), exerciseEventType: 'RESUME' },
      ],
      notes: `Notes on ${title.toLowerCase()}`,
    }),
    createTime: precise(endMs + 60_000),
    updateTime: precise(updatedMs),
  };
}

/** What the tracker recognised by itself in every other workout that was started by hand: the same minutes, without figures. */
function recognised({ uuid, startMs, endMs, updatedMs }: Workout, date: string): readonly Point[] {
  if (dayNumber(date) % 4 !== 0) return [];
  const fields = {
    exerciseType: 'WALKING',
    displayName: 'Walk',
    activeDuration: `${(endMs - startMs) / 1000 - 120}s`,
    exerciseMetadata: {},
    metricsSummary: {},
    createTime: precise(endMs + 90_000),
    updateTime: precise(updatedMs),
  };
  return [
    { date, startMs: startMs + 60_000, endMs: endMs - 60_000, id: String(longIdOf(`${uuid} recognised`)), fields, source: derived },
  ];
}

export const sessionTypes: readonly DataType[] = [
  {
    ...common,
    name: 'sleep',
    scope: 'sleep',
    points: (account, days) => [
      ...days.flatMap(({ date, sleeps }) =>
        sleeps.map((night) => {
          const { uuid: id, startMs, endMs } = night;
          return { date, startMs, endMs, id, fields: sleepFields(account, night), source: derived };
        }),
      ),
      ...naps(account, days),
    ],
  },
  {
    ...common,
    name: 'exercise',
    scope: activityScope,
    points: (account, days) => [
      ...days.flatMap(({ date, workouts }) =>
        workouts.flatMap((workout): readonly Point[] => {
          const { id, startMs, endMs } = workout;
          return [{ date, startMs, endMs, id, fields: exerciseFields(workout), source: exerciseTracker }, ...recognised(workout, date)];
        }),
      ),
      ...swimExercises(account, days),
    ],
  },
];
