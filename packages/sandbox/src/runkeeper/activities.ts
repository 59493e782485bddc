import { minuteMs } from '@pulsewire/kernel';
import { dayNumber } from '../model/calendar.ts';
import type { ApiResponse, ApiRoute, UserCall } from '../kit/definition/definition.ts';
import type { SimAccount } from '../kit/accounts/accounts.ts';
import type { PersonDay, Workout } from '../kit/person/types.ts';
import { RefusalError } from '../kit/parts/refusal.ts';
import { feed, textAt, type FeedItem } from './feeds.ts';

type Kind = 'done' | 'live' | 'corrupt' | 'friend';

/** An activity as it is listed; only `done` is one that counts. */
interface Activity {
  readonly id: string;
  readonly kind: Kind;
  readonly date: string;
  readonly workout: Workout;
}

const types = { running: 'Running', cycling: 'Cycling', walking: 'Walking' } as const;
const friendsId = 77;
const gpsFixLostAt = 11;

const plain = (startMs: number, minutes: number): Workout => ({
  id: '',
  uuid: '',
  sport: 'running',
  title: '',
  startMs,
  endMs: startMs + minutes * minuteMs,
  movingSeconds: minutes * 60,
  distanceM: minutes * 150,
  kcal: minutes * 9,
  steps: 0,
  hrAverage: 0,
  hrMax: 0,
  elevationM: 0,
  track: [],
  updatedMs: startMs,
});

/** Every sixth rest day lists a session of no length twice, and one that belongs to a friend. */
function oddOnesOf({ person }: SimAccount, { date, workouts }: PersonDay): Activity[] {
  if (workouts.length > 0 || dayNumber(date) % 6 !== 1) return [];
  const startMs = person.zone.toInstant(date, 7 * 3600);
  if (startMs + 60 * minuteMs > person.syncedMs()) return [];
  const corrupt = { kind: 'corrupt', date, workout: plain(startMs, 0) } as const;
  return [
    { ...corrupt, id: `7${dayNumber(date)}1` },
    { ...corrupt, id: `7${dayNumber(date)}2` },
    { kind: 'friend', date, workout: plain(startMs + 10 * minuteMs, 30), id: `7${dayNumber(date)}3` },
  ];
}

function activitiesOf(account: SimAccount): Activity[] {
  const { person } = account;
  const days = person.days(person.firstDate, person.today());
  const over = days.flatMap((day) => [
    ...day.workouts.map((workout): Activity => ({ id: workout.id.slice(-9), kind: 'done', date: day.date, workout })),
    ...oddOnesOf(account, day),
  ]);
  const liveMs = person.syncedMs() - 10 * minuteMs;
  return [
    ...over,
    { id: `8${Math.floor(liveMs / minuteMs)}`, kind: 'live', date: person.zone.toLocal(liveMs).date, workout: plain(liveMs, 9) },
  ];
}

function bodyOf({ person }: SimAccount, { id, kind, workout }: Activity): Readonly<Record<string, unknown>> {
  const { zone } = person;
  const known = {
    duration: workout.movingSeconds + 0.513,
    total_distance: workout.distanceM + 0.25,
    start_time: textAt(zone, workout.startMs),
    type: types[workout.sport],
    uri: `/fitnessActivities/${id}`,
  };
  // Like entries of 2011, which have nothing else.
  if (kind === 'corrupt') return { ...known, duration: 0, total_distance: 0 };
  return {
    ...known,
    utc_offset: zone.offsetMinutes(workout.startMs) / 60,
    ...(workout.track.length > 0 && { total_calories: workout.kcal }),
    source: 'RunKeeper',
    entry_mode: 'API',
    tracking_mode: 'outdoor',
    has_path: workout.track.length > 0,
  };
}

/** Separate lists, each with its own times; the last point of the path is the end. Some points have no fix. */
function streamsOf({ track, startMs, endMs, kcal }: Workout): object {
  const at = (ms: number): number => (ms - startMs) / 1000;
  const last = track.at(-1);
  const path = track.map(({ ms, lat, lng, altitudeM }, index) => ({
    timestamp: at(ms),
    latitude: index === gpsFixLostAt ? 0 : lat,
    longitude: index === gpsFixLostAt ? 0 : lng,
    altitude: index === gpsFixLostAt ? 0 : altitudeM,
    type: index === 0 ? 'start' : 'gps',
  }));
  const end = last && { timestamp: at(endMs), latitude: last.lat, longitude: last.lng, altitude: last.altitudeM, type: 'end' };
  return {
    path: end ? [...path, end] : [],
    distance: track.map(({ ms, distanceM }) => ({ timestamp: at(ms), distance: distanceM })),
    // The strap sends it at its own times.
    heart_rate: track.map(({ ms, bpm }, index) => ({ timestamp: at(ms) + (index % 5 === 3 ? 0.5 : 0), heart_rate: bpm })),
    calories: last
      ? [
          { timestamp: 0, calories: 0 },
          { timestamp: at(endMs), calories: kcal },
        ]
      : [],
  };
}

function one(call: UserCall): ApiResponse {
  const { account, params } = call;
  const found = activitiesOf(account).find(({ id }) => id === params['id']);
  if (!found) throw new RefusalError('not_found', 'No such activity');
  const { kind, workout } = found;
  return {
    body: {
      ...bodyOf(account, found),
      userID: kind === 'friend' ? friendsId : Number(account.providerUserId),
      climb: workout.elevationM,
      ...(workout.track.length > 0 && { average_heart_rate: workout.hrAverage, notes: workout.title }),
      equipment: 'None',
      is_live: kind === 'live',
      share: 'Just Me',
      images: [],
      ...streamsOf(workout),
    },
  };
}

function list(call: UserCall): ApiResponse {
  const { person } = call.account;
  // A person's change of yesterday's run is dated by the day of the change.
  const items = activitiesOf(call.account).map((activity): FeedItem => {
    const modifiedDate = person.zone.toLocal(activity.workout.updatedMs).date;
    return { date: activity.date, modifiedDate, body: bodyOf(call.account, activity) };
  });
  return feed(call, items);
}

const get = { method: 'GET', auth: 'user' } as const;

export const activityRoutes: readonly ApiRoute[] = [
  { ...get, kind: 'activities', path: '/fitnessActivities', respond: list },
  { ...get, kind: 'activity', path: '/fitnessActivities/:id', respond: one },
  { ...get, kind: 'strength', path: '/strengthTrainingActivities', respond: (call: UserCall) => feed(call, []) },
];
