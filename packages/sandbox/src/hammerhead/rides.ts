import { dayNumber } from '../model/calendar.ts';
import type { SimAccount } from '../kit/accounts/accounts.ts';
import { uuidOf } from '../kit/person/uuid-of.ts';
import type { PersonDay, TrackPoint, Workout } from '../kit/person/types.ts';

/** A ride as the dashboard lists it. */
export interface Ride {
  readonly workout: Workout;
  /** Ridden on a trainer without sensors: no track, and hardly any values. */
  readonly isIndoor: boolean;
}

const hour = 3_600_000;
const iso = (ms: number): string => new Date(ms).toISOString();
const garbageAt = 5;

/** Every sixth rest day has a ride on the trainer. */
function indoorOf({ person }: SimAccount, { date, workouts }: PersonDay): Ride[] {
  const startMs = person.zone.toInstant(date, 7 * 3600);
  if (workouts.length > 0 || dayNumber(date) % 6 !== 1 || startMs + hour > person.syncedMs()) return [];
  const key = `${person.name}|trainer|${date}`;
  const figures = { distanceM: 0, kcal: 0, steps: 0, hrAverage: 0, hrMax: 0, elevationM: 0 };
  const times = { startMs, endMs: startMs + hour, movingSeconds: 3600, updatedMs: startMs + hour };
  return [{ isIndoor: true, workout: { id: key, uuid: uuidOf(key), sport: 'cycling', title: '', ...times, ...figures, track: [] } }];
}

/** Oldest first. */
export function ridesOf(account: SimAccount): Ride[] {
  const { person } = account;
  return person
    .days(person.firstDate, person.today())
    .flatMap((day) => [...day.workouts.map((workout): Ride => ({ workout, isIndoor: false })), ...indoorOf(account, day)]);
}

export const idOf = ({ providerUserId }: SimAccount, { workout }: Ride): string => `${providerUserId}.activity.${workout.uuid}`;

/** Pairs of key and value; values without a sensor are missing. */
function infoOf({ workout, isIndoor }: Ride): object[] {
  const { track, distanceM, elevationM, movingSeconds, startMs, endMs, hrAverage, kcal, sport } = workout;
  const average = (of: (point: TrackPoint) => number) => track.reduce((sum, point) => sum + of(point), 0) / track.length;
  const pairs: readonly (readonly [key: string, format: string, value: number])[] = [
    ['TYPE_ELAPSED_TIME_ID', 'duration', endMs - startMs],
    ['TYPE_RIDE_TIME_ID', 'duration', movingSeconds * 1000],
    ...(isIndoor
      ? []
      : ([
          ['TYPE_DISTANCE_ID', 'distance', distanceM + 0.4],
          ['TYPE_ELEVATION_GAIN_ID', 'elevation', elevationM],
          ['TYPE_ELEVATION_LOSS_ID', 'elevation', elevationM],
          ['TYPE_AVERAGE_SPEED_ID', 'speed', distanceM / movingSeconds],
          ['TYPE_AVERAGE_HR_ID', 'number', hrAverage],
          ['TYPE_AVERAGE_CADENCE_ID', 'number', average(({ cadence }) => cadence)],
          ['TYPE_CALORIES_ID', 'number', kcal],
          ['TYPE_AVERAGE_TEMPERATURE_ID', 'temperature', 19],
          ['TYPE_A_NEW_FIGURE_ID', 'number', 3],
        ] as const)),
    ...(sport === 'cycling' && !isIndoor ? ([['TYPE_AVERAGE_POWER_ID', 'number', average(({ watts }) => watts)]] as const) : []),
  ];
  return pairs.map(([key, format, value]) => ({ key, value: { format, value } }));
}

export function listedOf(account: SimAccount, ride: Ride): Readonly<Record<string, unknown>> {
  const { workout, isIndoor } = ride;
  return {
    id: idOf(account, ride),
    ...(!isIndoor && { name: workout.title }),
    client: 'KAROO_2',
    createdAt: iso(workout.endMs),
    activeTime: workout.movingSeconds * 1000,
    duration: { elapsedTime: workout.endMs - workout.startMs, startTime: iso(workout.startMs), endTime: iso(workout.endMs) },
    activityInfo: infoOf(ride),
    partners: [],
    sync: { strava: { status: 'SUCCESS' } },
  };
}

/** Parallel lists; a point without a fix is at (0, 0). */
function recordsOf({ track, sport }: Workout): object {
  const of = (value: (point: TrackPoint, index: number) => number | null) => track.map(value);
  return {
    timestamp: of(({ ms }) => ms / 1000),
    lat: of(({ lat }, index) => (index === garbageAt ? 0 : lat)),
    lng: of(({ lng }, index) => (index === garbageAt ? 0 : lng)),
    distance: of(({ distanceM }) => distanceM),
    elevation: of(({ altitudeM }) => altitudeM),
    grade: of(() => 0),
    speed: of(({ speedMs }) => speedMs),
    heartRate: of(({ bpm }, index) => (index % 23 === 7 ? null : bpm)),
    cadence: of(({ cadence }) => cadence),
    temperature: of(() => 19),
    ...(sport === 'cycling' && { power: of(({ watts }) => watts) }),
  };
}

const rideTypes = ['RIDE', 'GRAVEL', 'MOUNTAIN_BIKE'] as const;

/** Indoor rides have a type that no document lists. */
const activityTypeOf = ({ workout, isIndoor }: Ride): string =>
  isIndoor ? 'UNICYCLE_INDOOR' : (rideTypes[Number(workout.id) % rideTypes.length] ?? 'RIDE');

export function detailsOf(account: SimAccount, ride: Ride): Readonly<Record<string, unknown>> {
  const { workout, isIndoor } = ride;
  const { partners: _partners, sync: _sync, ...listed } = listedOf(account, ride);
  const lap = { lapNumber: 1, activeTime: workout.movingSeconds * 1000, pauses: [], lapInfo: infoOf(ride), trigger: 'MANUAL' };
  return {
    activityData: {
      ...listed,
      bikeId: null,
      laps: [lap],
      activityType: activityTypeOf(ride),
      climbs: [],
      updatedAt: iso(workout.updatedMs),
    },
    sessionData: { thresholdPower: 240, frontGears: [], rearGears: [] },
    recordData: isIndoor ? {} : recordsOf(workout),
    shiftData: {},
    deviceBatteryData: {},
  };
}
