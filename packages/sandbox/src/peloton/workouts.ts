import { dayNumber } from '../model/calendar.ts';
import type { SimAccount } from '../kit/accounts/accounts.ts';
import type { Person } from '../kit/person/person.ts';
import { uuidOf } from '../kit/person/uuid-of.ts';
import { dayNumberOf, type Session } from './sessions.ts';

type Row = Readonly<Record<string, unknown>>;

const noRide = '00000000000000000000000000000000';
const meditationMinutes = 10;
const underWayMs = 900_000;
const disciplines = { running: 'running', cycling: 'cycling', walking: 'walking' } as const;
const devices = { running: 'home_tread', cycling: 'home_bike_v1', walking: 'iPhone' } as const;

const seconds = (ms: number) => Math.floor(ms / 1000);
const idOf = (key: string) => uuidOf(`peloton ${key}`).replaceAll('-', '');

function meditationOf(person: Person, date: string): Session[] {
  const startMs = person.zone.toInstant(date, 6 * 3600 + 1800);
  const endMs = startMs + meditationMinutes * 60_000;
  if (dayNumber(date) % 3 !== 0 || endMs > person.syncedMs()) return [];
  return [{ id: idOf(`meditation ${person.name} ${date}`), startMs, endMs, isUnderWay: false, workout: null }];
}

/** Newest first; the first is in progress. */
export function sessionsOf(person: Person): readonly Session[] {
  const over = person.days(person.firstDate, person.today()).flatMap(({ date, workouts }): Session[] => [
    ...meditationOf(person, date),
    ...workouts.map((workout) => {
      const { uuid, startMs, endMs } = workout;
      return { id: uuid.replaceAll('-', ''), startMs, endMs, isUnderWay: false, workout };
    }),
  ]);
  const startMs = person.syncedMs() - underWayMs;
  const now: Session = { id: idOf(`now ${person.name} ${startMs}`), startMs, endMs: startMs, isUnderWay: true, workout: null };
  return [...over, now].toReversed();
}

/** The zone as its name, as a fixed offset whose sign is the other way round, or not at all. */
function zoneOf({ zone }: Person, session: Session): Row {
  const minutes = zone.offsetMinutes(session.startMs);
  const variant = dayNumberOf(session) % 6;
  if (variant === 2 && minutes % 60 === 0) return { timezone: `Etc/GMT${minutes > 0 ? '-' : '+'}${Math.abs(minutes / 60)}` };
  return variant === 4 ? {} : { timezone: zone.name };
}

/** The end is not always known: null, 0 or the start. */
function endOf(session: Session): number | null {
  if (session.isUnderWay) return null;
  const known = seconds(session.endMs);
  return ([known, null, known, 0, known, seconds(session.startMs)] as const)[dayNumberOf(session) % 6] ?? null;
}

function rideOf({ startMs, endMs, workout }: Session): Row {
  const duration = (endMs - startMs) / 1000;
  if (!workout)
    return { id: idOf('calm'), title: '10 min Calming Meditation', duration, fitness_discipline: 'meditation', instructor_id: 'a1' };
  if (workout.sport !== 'cycling') return { id: noRide, title: null, duration, fitness_discipline: disciplines[workout.sport] };
  const instructor = { id: 'b2', name: 'Grace Hopper' };
  return { id: idOf('ride'), title: workout.title, duration, length: duration + 120, fitness_discipline: 'cycling', instructor };
}

/** An item of the list. Classes begin some seconds after they were opened. */
export function listed({ person, providerUserId }: SimAccount, session: Session, hasRide: boolean): Row {
  const { id, startMs, isUnderWay, workout } = session;
  const createdMs = startMs - 47_000;
  const discipline = workout ? disciplines[workout.sport] : 'meditation';
  return {
    id,
    status: isUnderWay ? 'IN_PROGRESS' : 'COMPLETE',
    user_id: providerUserId,
    fitness_discipline: discipline,
    name: `${discipline.charAt(0).toUpperCase()}${discipline.slice(1)} Workout`,
    title: null,
    created_at: seconds(createdMs),
    created: seconds(createdMs),
    start_time: seconds(startMs),
    end_time: endOf(session),
    ...zoneOf(person, session),
    device_time_created_at: seconds(createdMs) + person.zone.offsetMinutes(createdMs) * 60,
    device_type: workout ? devices[workout.sport] : 'iPhone',
    device_type_display_name: workout?.sport === 'cycling' ? 'Bike' : 'App',
    platform: workout ? devices[workout.sport] : 'iPhone',
    is_outdoor: workout?.sport === 'walking',
    has_pedaling_metrics: workout?.sport === 'cycling',
    metrics_type: discipline,
    workout_type: workout?.sport === 'cycling' ? 'class' : 'freestyle',
    total_work: workout?.sport === 'cycling' ? 345_678.9 : 0,
    strava_id: null,
    fitbit_id: null,
    effort_zones: null,
    // Some workouts have none.
    ...(hasRide && dayNumberOf(session) % 10 !== 0 && { ride: rideOf(session) }),
  };
}

/** More fields than the list. */
export function detailOf(account: SimAccount, session: Session): Row {
  return {
    ...listed(account, session, true),
    ftp_info: { ftp: 187, ftp_source: 'ftp_estimated_source', ftp_workout_id: null },
    average_effort_score: null,
    v2_total_video_buffering_seconds: 0,
  };
}
