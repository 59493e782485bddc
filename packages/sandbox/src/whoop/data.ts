import type { ApiAnswer, ApiRoute, UserCall } from '../kit/definition.ts';
import type { Person } from '../kit/person/person.ts';
import type { PersonDay, Sleep, Workout } from '../kit/person/types.ts';
import { invalid, Refusal } from '../kit/refusal.ts';

const dayMs = 86_400_000;
const windowDaysMax = 200;
const kilojoules = (kcal: number): number => kcal * 4.184;
const sportIds = { running: 0, cycling: 1, walking: 63 } as const;

/** A range as a database writes it; its end stays empty while it lasts. */
function during(startMs: number, endMs: number | null): string {
  const end = endMs === null ? '' : `'${new Date(endMs).toISOString()}'`;
  return `['${new Date(startMs).toISOString()}',${end})`;
}

const offsetText = ({ zone }: Person, ms: number): string => zone.offsetText(ms).slice(-6);

function workoutOf(person: Person, workout: Workout): object {
  return {
    activity_id: workout.uuid,
    during: during(workout.startMs, workout.endMs),
    timezone_offset: offsetText(person, workout.startMs),
    sport_id: sportIds[workout.sport],
    score: 11.4,
    average_heart_rate: workout.hrAverage,
    max_heart_rate: workout.hrMax,
    kilojoules: kilojoules(workout.kcal),
  };
}

function recoveryOf(day: PersonDay, sleep: Sleep): object {
  return {
    state: 'SCORED',
    recovery_score: sleep.score,
    resting_heart_rate: day.restingHr,
    hrv_rmssd: sleep.hrvAverage / 1000,
    spo2: day.spo2,
    skin_temp_celsius: day.skinCelsius,
  };
}

/** The cycle about a day. As long as the day lasts its score is being worked out. */
function cycleOf(person: Person, day: PersonDay): object {
  const [sleep] = day.sleeps;
  return {
    days: [day.date],
    during: during(day.startMs, day.isComplete ? day.endMs : null),
    timezone_offset: offsetText(person, day.startMs),
    score_state: day.isComplete ? 'SCORED' : 'PENDING_SCORE',
    score: day.isComplete
      ? {
          strain: 12.3,
          kilojoule: kilojoules(day.activeKcal + day.basalKcal),
          average_heart_rate: day.hrAverage,
          max_heart_rate: day.hrMax,
        }
      : null,
    recovery: sleep ? recoveryOf(day, sleep) : null,
    sleep: sleep ? { id: sleep.uuid } : null,
    workouts: day.workouts.map((workout) => workoutOf(person, workout)),
  };
}

function rangeOf({ query }: UserCall, first: string, last: string): readonly [fromMs: number, toMs: number] {
  const [fromMs, toMs] = [Date.parse(query.get(first) ?? ''), Date.parse(query.get(last) ?? '')];
  if (Number.isNaN(fromMs) || Number.isNaN(toMs) || toMs <= fromMs) throw invalid('Invalid times');
  return [fromMs, toMs];
}

function daysOf({ account: { person } }: UserCall, fromMs: number, toMs: number): readonly PersonDay[] {
  return person.days(person.zone.toLocal(fromMs).date, person.zone.toLocal(toMs).date);
}

function cycles(call: UserCall): ApiAnswer {
  const [fromMs, toMs] = rangeOf(call, 'startTime', 'endTime');
  const { account, query } = call;
  if (query.get('id') !== account.providerUserId) throw new Refusal('not_found', 'No such user');
  if (toMs - fromMs > windowDaysMax * dayMs) throw invalid('The range is too long');
  const found = daysOf(call, fromMs, toMs).filter(({ startMs, endMs }) => endMs > fromMs && startMs < toMs);
  const limit = Math.min(26, Number(query.get('limit') ?? 10));
  return {
    body: {
      cycles: found
        .toReversed()
        .slice(0, limit)
        .map((day) => cycleOf(account.person, day)),
    },
  };
}

function sleepEvent({ account: { person }, query }: UserCall): ApiAnswer {
  const id = query.get('activityId');
  const sleep = person
    .days(person.firstDate, person.today())
    .flatMap(({ sleeps }) => sleeps)
    .find(({ uuid }) => uuid === id);
  if (!sleep) throw new Refusal('not_found', 'No such sleep');
  const { light, deep, rem, awake } = sleep.secondsOf;
  return {
    body: {
      activity_id: sleep.uuid,
      during: during(sleep.startMs, sleep.endMs),
      timezone_offset: offsetText(person, sleep.endMs),
      score_state: 'SCORED',
      score: {
        stage_summary: {
          total_in_bed_time_milli: sleep.endMs - sleep.startMs,
          total_awake_time_milli: awake * 1000,
          total_light_sleep_time_milli: light * 1000,
          total_slow_wave_sleep_time_milli: deep * 1000,
          total_rem_sleep_time_milli: rem * 1000,
        },
        respiratory_rate: sleep.respiratoryRate,
        sleep_efficiency_percentage: sleep.efficiency,
      },
      stages: sleep.stages.map(({ stage, startMs, endMs }) => ({
        stage,
        during: during(startMs, endMs),
      })),
    },
  };
}

const metrics: Readonly<Record<string, (day: PersonDay, person: Person) => readonly { readonly ms: number; readonly value: number }[]>> = {
  heart_rate: ({ heart }) => heart,
  /** Known when the hour is over; twelve times five minutes. */
  steps: ({ hours }, person) =>
    hours
      .filter(({ endMs }) => endMs <= person.syncedMs())
      .flatMap(({ startMs, steps }) =>
        Array.from({ length: 12 }, (_, place) => ({ ms: startMs + place * 300_000, value: Math.floor(steps / 12) })),
      ),
};

function metric(call: UserCall): ApiAnswer {
  const { account, params, query } = call;
  if (params['id'] !== account.providerUserId) throw new Refusal('not_found', 'No such user');
  const read = metrics[query.get('name') ?? ''];
  if (!read) throw invalid('No such metric');
  const [fromMs, toMs] = rangeOf(call, 'start', 'end');
  const values = daysOf(call, fromMs, toMs)
    .flatMap((day) => read(day, account.person))
    .filter(({ ms }) => ms >= fromMs && ms < toMs)
    .map(({ ms, value }) => ({ time: ms, data: value }));
  return { body: { name: query.get('name'), start: fromMs, values } };
}

/** Every call says which version it means. */
function versioned(respond: (call: UserCall) => ApiAnswer): (call: UserCall) => ApiAnswer {
  return (call) => {
    if (call.query.get('apiVersion') !== '7') throw invalid('Unknown version');
    return respond(call);
  };
}

export const dataRoutes: readonly ApiRoute[] = [
  {
    kind: 'bootstrap',
    method: 'GET',
    path: '/users-service/v2/bootstrap/',
    auth: 'user',
    respond: versioned(({ account }) => ({ body: { user: { id: Number(account.providerUserId) }, profile: {} } })),
  },
  { kind: 'cycles', method: 'GET', path: '/core-details-bff/v0/cycles/details', auth: 'user', respond: versioned(cycles) },
  { kind: 'sleep', method: 'GET', path: '/sleep-service/v1/sleep-events', auth: 'user', respond: versioned(sleepEvent) },
  { kind: 'metric', method: 'GET', path: '/metrics-service/v1/metrics/user/:id', auth: 'user', respond: versioned(metric) },
];
