import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import { withZones } from '../kit/records/heart-rate-zones.ts';
import type { FitWorkout } from '../kit/fit/fit-workout.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { workoutRecord } from '../kit/records/workout-record.ts';
import { msToDay } from '../kit/time/days.ts';
import { readEachOf, readWhole, type JsonNode } from '../kit/values/json-node.ts';
import { sportOf } from '../kit/values/sports.ts';
import { computer } from './hammerhead.ts';
import type { ListedRide } from './listed-ride.ts';

/** Of rides whose details are not read: a bike computer records little else. */
const usualSport = 'cycling';

type FileFigure = 'max_hr' | 'max_speed' | 'max_watts' | 'weighted_average_watts' | 'elev_high' | 'elev_low';

/** What a ride's file, or its details, add to the list. */
export interface RideFile extends Pick<FitWorkout, 'offset' | 'data'> {
  /** Of a file only when it has several sports; otherwise the details name it. */
  readonly sport: string | null;
  readonly figures: Pick<FitWorkout['figures'], FileFigure>;
}

/** Figures are a list of pairs; one without its sensor is missing. */
function figuresOf(item: JsonNode, quarantined: Quarantined[]): ReadonlyMap<string, number> {
  const list = item.at('activityInfo');
  const pairs = readEachOf('workouts', list, list.itemsOrNone(), quarantined, (pair) => {
    // One client also reads a value that is not wrapped.
    const outer = pair.at('value');
    const value = (typeof outer.value === 'object' ? outer.at('value') : outer).optional((node) => node.number());
    return value === null ? undefined : ([pair.at('key').text(), value] as const);
  });
  return new Map(pairs);
}

/** The list has no zone: the file has the device's clock; without a file the user's zone is used. */
function whenOf({ startMs }: ListedRide, file: RideFile | null, context: RecordMaker) {
  const offset = file?.offset ?? null;
  if (offset !== null) return { offset, offsetFrom: 'value' as const, day: msToDay(startMs + offset * 1000) };
  const zone = context.zoneOn(msToDay(startMs));
  return { offset: zone.offsetAt(startMs), offsetFrom: zone.originAt(startMs), day: zone.dayOf(startMs) };
}

function readRide(ride: ListedRide, file: RideFile | null, context: RecordMaker, quarantined: Quarantined[]): CanonicalRecord[] {
  const { id, node, startMs, endMs } = ride;
  const sport = file?.sport ?? usualSport;
  const figures = figuresOf(node, quarantined);
  /** Some clients also read figures from the ride itself, by the name of their own. */
  const figure = (key: string, plain: string, other = key) =>
    figures.get(`TYPE_${key}_ID`) ?? figures.get(`TYPE_${other}_ID`) ?? node.at(plain).optional((inner) => inner.number());
  const rounded = (value: number | null) => (value === null || value === 0 ? null : Math.round(value));
  const moving = node.at('activeTime').optional((inner) => inner.amount());
  const record = workoutRecord(context, {
    raw: node,
    externalId: id,
    sourceType: computer,
    ...whenOf(ride, file, context),
    startMs,
    endMs,
    title: node.at('name').optional((inner) => inner.words()),
    sport,
    data: {
      distance: figure('DISTANCE', 'distance'),
      calories: figure('CALORIES', 'calories'),
      total_elevation_gain: figure('ELEVATION_GAIN', 'elevationGain'),
      moving_time: moving === null ? null : Math.round(moving / 1000),
      average_hr: rounded(figure('AVERAGE_HR', 'avgHeartRate', 'AVERAGE_HEART_RATE')),
      max_hr: file?.figures.max_hr ?? null,
      average_speed: figure('AVERAGE_SPEED', 'avgSpeed'),
      max_speed: file?.figures.max_speed ?? null,
      average_watts: figure('AVERAGE_POWER', 'avgPower'),
      max_watts: file?.figures.max_watts ?? null,
      weighted_average_watts: file?.figures.weighted_average_watts ?? null,
      elev_high: file?.figures.elev_high ?? null,
      elev_low: file?.figures.elev_low ?? null,
    },
  });
  if (!file?.data) return [record];
  const { data } = file;
  const stream = {
    kind: 'stream',
    resource: 'workout_stream',
    workoutId: record.id,
    providerId: id,
    sport: sportOf(sport),
    source: record.source,
    data,
  } as const;
  return [withZones(context.user, record, data), stream];
}

/** A ride of the list, with what its FIT file or its details add. */
export function mapRide(ride: ListedRide, file: RideFile | null, context: RecordMaker, quarantined: Quarantined[]): CanonicalRecord[] {
  return readWhole('workouts', quarantined, () => readRide(ride, file, context, quarantined)) ?? [];
}
