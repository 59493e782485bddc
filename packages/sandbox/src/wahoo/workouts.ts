import { addDays, dayNumber } from '../model/calendar.ts';
import type { SimAccount } from '../kit/accounts/accounts.ts';
import type { PersonDay, Workout } from '../kit/person/types.ts';

/** A workout as Wahoo lists it: done on a device, only planned, or recorded by another company's app. */
export interface Ride {
  readonly id: number;
  /** The planned start where the workout was planned; the list is sorted by it. */
  readonly startsMs: number;
  /** null: planned, not done. */
  readonly workout: Workout | null;
  readonly date: string;
  readonly appId: number;
}

const typeIds = { running: 1, cycling: 15, walking: 6 } as const;
const hour = 3_600_000;
const thirdParty = 1200;
const device = 8;

const iso = (ms: number): string => new Date(ms).toISOString();
const decimal = (value: number): string => (Number.isInteger(value) ? value.toFixed(1) : String(Math.round(value * 100) / 100));
const idOf = (workout: Workout): number => Number(workout.id) % 1_000_000_000;

/** Every sixth rest day has a ride that was planned and left out, and one of another company's app. */
function othersOf({ person }: SimAccount, { date, workouts }: PersonDay): Ride[] {
  if (workouts.length > 0 || dayNumber(date) % 6 !== 0) return [];
  const startsMs = person.zone.toInstant(date, 7 * 3600);
  if (startsMs + hour > person.syncedMs()) return [];
  const workout: Workout = {
    id: String(2_000_000_000 + dayNumber(date)),
    uuid: '',
    sport: 'cycling',
    title: 'Imported ride',
    startMs: startsMs,
    endMs: startsMs + hour,
    movingSeconds: 3600,
    distanceM: 20_000,
    kcal: 500,
    steps: 0,
    hrAverage: 120,
    hrMax: 140,
    elevationM: 10,
    track: [],
    updatedMs: startsMs + hour,
  };
  return [
    { id: 2_000_000_000 + dayNumber(date), startsMs, workout, date, appId: thirdParty },
    { id: 2_100_000_000 + dayNumber(date), startsMs: startsMs + hour, workout: null, date, appId: device },
  ];
}

export function ridesOf(account: SimAccount, day: PersonDay): Ride[] {
  const done = day.workouts.map((workout): Ride => {
    // Rides come from a training plan, with another start than the real one.
    const startsMs = workout.startMs + (workout.sport === 'cycling' ? 30 * 60_000 : 0);
    return { id: idOf(workout), startsMs, workout, date: day.date, appId: device };
  });
  return [...done, ...othersOf(account, day)];
}

/** Everything, newest first; what is planned for tomorrow leads the list. */
export function allRides(account: SimAccount): Ride[] {
  const { person } = account;
  const date = addDays(person.today(), 1);
  const planned: Ride = {
    id: 2_200_000_000 + dayNumber(date),
    startsMs: person.zone.toInstant(date, 18 * 3600),
    workout: null,
    date,
    appId: device,
  };
  return [planned, ...person.days(person.firstDate, person.today()).flatMap((day) => ridesOf(account, day))].toSorted(
    (a, b) => b.startsMs - a.startsMs,
  );
}

function fileOf({ workout, id, date }: Ride, url: string): object {
  if (workout === null || workout.track.length === 0) return {};
  const link = `${url}/files/${id}.fit`;
  // Older responses have a list; some workouts no file.
  if (workout.sport === 'running') return { files: [{ url: link }] };
  return { file: { url: workout.sport === 'walking' && dayNumber(date) % 4 === 0 ? null : link } };
}

/** null for a workout that was only planned. Decimals are strings. */
export function summaryOf({ person }: SimAccount, ride: Ride, url: string): Readonly<Record<string, unknown>> | null {
  const { workout, date, id, appId } = ride;
  if (workout === null) return null;
  const isOld = workout.sport === 'running' && dayNumber(date) % 4 < 2;
  const isRide = workout.sport === 'cycling';
  return {
    id: id + 1_000_000_000,
    ascent_accum: decimal(workout.elevationM),
    cadence_avg: workout.sport === 'walking' ? '0.0' : '84.0',
    calories_accum: decimal(workout.kcal),
    distance_accum: decimal(workout.distanceM),
    duration_active_accum: decimal(workout.movingSeconds),
    duration_paused_accum: decimal((workout.endMs - workout.startMs) / 1000 - workout.movingSeconds),
    duration_total_accum: decimal((workout.endMs - workout.startMs) / 1000),
    heart_rate_avg: workout.track.length === 0 ? null : decimal(workout.hrAverage),
    // Without a meter: zero, or nothing.
    power_avg: isRide ? '182.43' : workout.sport === 'walking' ? '' : '0.0',
    power_bike_np_last: isRide ? '201.0' : null,
    power_bike_tss_last: isRide ? '41.2' : null,
    speed_avg: decimal(workout.distanceM / workout.movingSeconds),
    work_accum: isRide ? '648000.0' : null,
    // Responses before 2025 have neither.
    ...(!isOld && { name: workout.title, started_at: iso(workout.startMs), time_zone: person.zone.name, manual: false, edited: false }),
    fitness_app_id: appId,
    ...fileOf(ride, url),
    created_at: iso(workout.endMs),
    updated_at: iso(workout.updatedMs),
  };
}

export function workoutOf({ startsMs, workout, id, date, appId }: Ride): Readonly<Record<string, unknown>> {
  return {
    id,
    starts: iso(startsMs),
    minutes: workout === null ? 60 : 0,
    name: workout?.title ?? 'Sweet spot',
    plan_id: workout === null ? 77 : null,
    plan_ids: workout === null ? [77] : [],
    route_id: null,
    workout_token: dayNumber(date) % 3 === 0 ? 'ELEMNT AE48:274' : 'ELEMNT BOLT AABB:CC',
    workout_type_id: typeIds[workout?.sport ?? 'cycling'],
    fitness_app_id: appId,
    created_at: iso(startsMs - hour),
    updated_at: iso(workout?.updatedMs ?? startsMs - hour),
  };
}

/** As in lists: the summary of a walk, and the file of every second ride, are only in the workout's own response. */
export function listedOf(account: SimAccount, ride: Ride, url: string): object {
  if (ride.workout?.sport === 'walking') return { ...workoutOf(ride), workout_summary: null };
  const summary = summaryOf(account, ride, url);
  const { file: _file, files: _files, ...withoutFile } = summary ?? {};
  return { ...workoutOf(ride), workout_summary: summary !== null && dayNumber(ride.date) % 2 === 0 ? withoutFile : summary };
}
