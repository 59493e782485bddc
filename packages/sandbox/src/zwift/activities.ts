import type { ApiResponse, ApiRoute, UserCall } from '../kit/definition/definition.ts';
import type { Person } from '../kit/person/person.ts';
import type { TrackPoint, Workout } from '../kit/person/types.ts';
import { invalid, RefusalError } from '../kit/parts/refusal.ts';
import { assertOwn } from './profiles.ts';

const limitDefault = 20;
const limitMax = 50;
const rideMs = 1_200_000;
const sportOf = { running: 'RUNNING', walking: 'RUNNING', cycling: 'CYCLING' } as const;

/** More digits than a double holds. */
const idOf = (workout: Workout): string => `9${workout.id.padStart(17, '0')}`;
const timeOf = (ms: number): string => new Date(ms).toISOString().replace('Z', '+0000');

function workoutsOf(person: Person): readonly Workout[] {
  return person.days(person.firstDate, person.today()).flatMap(({ workouts }) => workouts);
}

function average(track: readonly TrackPoint[], of: (point: TrackPoint) => number): number {
  return track.length === 0 ? 0 : track.reduce((sum, point) => sum + of(point), 0) / track.length;
}

function listed(workout: Workout, providerUserId: string): object {
  const id = idOf(workout);
  return {
    id: Number(id),
    id_str: id,
    profileId: Number(providerUserId),
    name: workout.title,
    sport: sportOf[workout.sport],
    startDate: timeOf(workout.startMs),
    endDate: timeOf(workout.endMs),
    distanceInMeters: workout.distanceM + 0.5,
    avgWatts: average(workout.track, ({ watts }) => watts),
    calories: workout.kcal,
    totalElevation: workout.elevationM,
    movingTimeInMs: workout.movingSeconds * 1000,
    privateActivity: false,
    fitFileBucket: 's3-fit-prd-example',
    fitFileKey: `prod/${providerUserId}/${id}`,
  };
}

/** A ride in progress: in the list from its start on, without an end. It cannot be requested individually. */
function underWay(person: Person, providerUserId: string): object {
  const startMs = person.syncedMs() - rideMs;
  const id = `8${String(startMs).padStart(17, '0')}`;
  return {
    id: Number(id),
    id_str: id,
    profileId: Number(providerUserId),
    name: 'Watopia',
    sport: 'CYCLING',
    startDate: timeOf(startMs),
    endDate: null,
    distanceInMeters: 4200.5,
    avgWatts: 0,
    calories: 80,
    totalElevation: 12,
    movingTimeInMs: rideMs,
    privateActivity: false,
  };
}

function list(call: UserCall): ApiResponse {
  assertOwn(call);
  const { account, query } = call;
  const start = Number(query.get('start') ?? 0);
  const limit = Number(query.get('limit') ?? limitDefault);
  if (limit > limitMax) throw invalid('limit.too.large');
  const over = workoutsOf(account.person)
    .toReversed()
    .map((workout) => listed(workout, account.providerUserId));
  return { body: [underWay(account.person, account.providerUserId), ...over].slice(start, start + limit) };
}

function find({ account, params }: UserCall): Workout {
  const found = workoutsOf(account.person).find((workout) => idOf(workout) === params['id']);
  if (!found) throw new RefusalError('not_found', 'No such activity');
  return found;
}

function one(call: UserCall): ApiResponse {
  const workout = find(call);
  const { track, hrAverage, hrMax } = workout;
  const filePath = `${call.parts.url()}/api/activities/${idOf(workout)}/file`;
  return {
    body: {
      ...listed(workout, call.account.providerUserId),
      avgHeartRate: hrAverage,
      maxHeartRate: hrMax,
      maxWatts: Math.max(0, ...track.map(({ watts }) => watts)),
      avgCadenceInRotationsPerMinute: average(track, ({ cadence }) => cadence),
      avgSpeedInMetersPerSecond: average(track, ({ speedMs }) => speedMs),
      maxSpeedInMetersPerSecond: Math.max(0, ...track.map(({ speedMs }) => speedMs)),
      profileFtp: 230,
      fitnessData: { status: 'AVAILABLE', fullDataUrl: `${filePath}/full`, smallDataUrl: `${filePath}/small` },
    },
  };
}

/** Parallel lists; the strap sometimes drops out. */
function file(call: UserCall): ApiResponse {
  const { track, startMs } = find(call);
  const of = (value: (point: TrackPoint, index: number) => unknown) => track.map(value);
  return {
    body: {
      timeInSec: of(({ ms }) => (ms - startMs) / 1000),
      powerInWatts: of(({ watts }) => watts),
      heartRate: of(({ bpm }, index) => (index % 23 === 7 ? null : bpm)),
      cadencePerMin: of(({ cadence }) => cadence),
      distanceInCm: of(({ distanceM }) => distanceM * 100),
      speedInCmPerSec: of(({ speedMs }) => Math.round(speedMs * 100)),
      altitudeInCm: of(({ altitudeM }) => Math.round(altitudeM * 100)),
      latlng: of(({ lat, lng }) => [lat, lng]),
    },
  };
}

export const activityRoutes: readonly ApiRoute[] = [
  { kind: 'activities', method: 'GET', path: '/api/profiles/:id/activities', auth: 'user', respond: list },
  { kind: 'activity', method: 'GET', path: '/api/activities/:id', auth: 'user', respond: one },
  { kind: 'file', method: 'GET', path: '/api/activities/:id/file/full', auth: 'user', respond: file },
];
