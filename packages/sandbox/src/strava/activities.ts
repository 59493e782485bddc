import { dayNumber } from '../model/calendar.ts';
import type { SimAccount } from '../kit/accounts/accounts.ts';
import type { Person } from '../kit/person/person.ts';
import type { PersonDay, Workout } from '../kit/person/types.ts';

/** A workout as Strava has it: some are typed in, without device, heart rate and streams. */
export interface Activity {
  readonly workout: Workout;
  readonly isManual: boolean;
}

const sportTypes = { running: 'Run', cycling: 'Ride', walking: 'Walk' } as const;

export function activitiesOf(day: PersonDay): Activity[] {
  return day.workouts.map((workout) => ({ workout, isManual: dayNumber(day.date) % 8 === 0 }));
}

const utcText = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z');

/** The bracket contains the winter offset in every season. */
function zoneText({ zone }: Person, ms: number): string {
  const winterMs = Date.UTC(new Date(ms).getUTCFullYear(), 0, 10);
  return `(GMT${zone.offsetText(winterMs).slice(-6)}) ${zone.name}`;
}

/** What the list of activities shows: no calories. */
export function summaryOf({ person, providerUserId }: SimAccount, { workout, isManual }: Activity): Readonly<Record<string, unknown>> {
  const offsetSeconds = person.zone.offsetMinutes(workout.startMs) * 60;
  const elapsed = (workout.endMs - workout.startMs) / 1000;
  return {
    resource_state: 2,
    id: Number(workout.id),
    athlete: { id: Number(providerUserId), resource_state: 1 },
    name: workout.title,
    type: sportTypes[workout.sport],
    sport_type: sportTypes[workout.sport],
    start_date: utcText(workout.startMs),
    // Local time formatted as UTC.
    start_date_local: utcText(workout.startMs + offsetSeconds * 1000),
    timezone: zoneText(person, workout.startMs),
    // Old activities have only the zone.
    ...(workout.sport !== 'walking' && { utc_offset: offsetSeconds }),
    elapsed_time: elapsed,
    moving_time: workout.movingSeconds,
    distance: workout.distanceM,
    total_elevation_gain: workout.elevationM,
    elev_high: 220.1,
    elev_low: 35,
    average_speed: Math.round((workout.distanceM / workout.movingSeconds) * 1000) / 1000,
    max_speed: 14.2,
    manual: isManual,
    trainer: false,
    private: false,
    visibility: 'followers_only',
    has_heartrate: !isManual,
    ...(!isManual && {
      average_heartrate: workout.hrAverage,
      max_heartrate: workout.hrMax,
      average_watts: 180.1,
      device_watts: workout.sport === 'cycling',
      kilojoules: 648,
      upload_id: 99,
      external_id: 'x.fit',
    }),
    map: { id: `a${workout.id}`, summary_polyline: isManual ? '' : '_p~iF~ps|U_ulLnnqC' },
  };
}

export function detailOf(account: SimAccount, activity: Activity): Readonly<Record<string, unknown>> {
  return {
    ...summaryOf(account, activity),
    resource_state: 3,
    description: null,
    calories: activity.workout.kcal,
    laps: [],
    ...(!activity.isManual && { device_name: 'Edge', max_watts: 640, weighted_average_watts: 205 }),
  };
}

/** The requested streams, by their type; only cyclists have watts. */
export function streamsOf({ workout }: Activity, keys: readonly string[]): Readonly<Record<string, unknown>> {
  const { track, startMs } = workout;
  const all: Readonly<Record<string, readonly unknown[]>> = {
    time: track.map(({ ms }) => (ms - startMs) / 1000),
    distance: track.map(({ distanceM }) => distanceM),
    latlng: track.map(({ lat, lng }) => [lat, lng]),
    altitude: track.map(({ altitudeM }) => altitudeM),
    velocity_smooth: track.map(({ speedMs }) => speedMs),
    heartrate: track.map(({ bpm }) => bpm),
    cadence: track.map(({ cadence }) => cadence),
    ...(workout.sport === 'cycling' && { watts: track.map(({ watts }) => watts) }),
    temp: track.map(() => 19),
    moving: track.map(() => true),
  };
  const wanted = Object.entries(all).filter(([key]) => keys.includes(key));
  return Object.fromEntries(
    wanted.map(([key, data]) => [key, { data, series_type: 'distance', original_size: data.length, resolution: 'high' }]),
  );
}
