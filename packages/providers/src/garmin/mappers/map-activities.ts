import type { CanonicalRecord, Quarantined, StreamChannel } from '@pulsewire/contract';
import { deviceFields, namedDevice, recordedBy, textOrNull } from '../../kit/records/recorded-by.ts';
import { readEach, type JsonNode } from '../../kit/values/json-node.ts';
import { workoutRecord } from '../../kit/records/workout-record.ts';
import { sportOf } from '../../kit/values/sports.ts';
import { amountOf, app, countOf, readDuration, readInstant, readSpan, watch, type GarminContext } from '../garmin.ts';
import { sportSlugOf } from '../sports.ts';

function sportSlug(item: JsonNode): string {
  return sportSlugOf(item.at('activityType').optional((node) => node.text()) ?? '');
}

/** An activity entered on the web page has no device. Only such activities have this field. */
function sourceOf(item: JsonNode): string {
  return item.at('manual').value === true ? app : watch;
}

/** Null for an activity that was typed in, and for a device that Garmin does not know. */
function deviceOfActivity(item: JsonNode, context: GarminContext) {
  const name = sourceOf(item) === watch ? textOrNull(item.at('deviceName')) : null;
  const facts = { sourceType: watch, manufacturer: null, raw: deviceFields(item, ['deviceName']) };
  return namedDevice(context, name?.toLowerCase() === 'unknown' ? null : name, facts);
}

/** `activities` and `manuallyUpdatedActivities`: one workout each, identified by its `activityId`. */
export function mapActivities(items: JsonNode, context: GarminContext, quarantined: Quarantined[]): CanonicalRecord[] {
  return readEach('workouts', items, quarantined, (item) => {
    const { startMs, offset, day } = readSpan(item, context);
    const heartRate = (key: string) => countOf(item, key) || null;
    const workout = workoutRecord(context, {
      raw: item,
      externalId: item.at('activityId').id(),
      sourceType: sourceOf(item),
      day,
      startMs,
      endMs: startMs + readDuration(item.at('durationInSeconds')),
      offset,
      title: item.at('activityName').optional((node) => node.words()),
      sport: sportSlug(item),
      data: {
        calories: amountOf(item, 'activeKilocalories'),
        distance: amountOf(item, 'distanceInMeters'),
        steps: countOf(item, 'steps'),
        average_hr: heartRate('averageHeartRateInBeatsPerMinute'),
        max_hr: heartRate('maxHeartRateInBeatsPerMinute'),
        average_speed: amountOf(item, 'averageSpeedInMetersPerSecond'),
        max_speed: amountOf(item, 'maxSpeedInMetersPerSecond'),
        total_elevation_gain: amountOf(item, 'totalElevationGainInMeters'),
      },
    });
    return recordedBy(deviceOfActivity(item, context), [workout]);
  }).flat();
}

const channels: readonly (readonly [channel: StreamChannel, ...keys: string[]])[] = [
  ['heartrate', 'heartRate'],
  ['cadence', 'stepsPerMinute', 'bikeCadenceInRPM'],
  ['altitude', 'elevationInMeters'],
  ['velocity_smooth', 'speedMetersPerSecond'],
  ['distance', 'totalDistanceInMeters'],
  ['power', 'powerInWatts'],
  // Garmin's own spelling.
  ['temperature', 'airTemperatureCelcius'],
  ['lat', 'latitudeInDegree'],
  ['lng', 'longitudeInDegree'],
];

interface Point {
  readonly time: number;
  readonly values: readonly (number | null)[];
}

function readPoint(sample: JsonNode): Point {
  const values = channels.map(([channel, ...keys]) => {
    const present = keys.map((key) => sample.at(key)).find((node) => !node.isMissing);
    const value = present?.optional((node) => node.number()) ?? null;
    // A heart rate is never zero.
    return channel === 'heartrate' ? value || null : value;
  });
  return { time: Math.round(readInstant(sample.at('startTimeInSeconds')) / 1000), values };
}

/** `activityDetails`: the track of a workout. Its `summaryId` differs from the activity's; the `activityId` is the same. */
export function mapActivityDetails(items: JsonNode, context: GarminContext, quarantined: Quarantined[]): CanonicalRecord[] {
  return readEach('workout_stream', items, quarantined, (item): readonly CanonicalRecord[] => {
    const summary = item.at('summary');
    const providerId = (item.at('activityId').isMissing ? summary : item).at('activityId').id();
    const read = readEach('workout_stream', item.at('samples'), quarantined, readPoint);
    const points = [...new Map(read.map((point) => [point.time, point])).values()].toSorted((a, b) => a.time - b.time);
    if (points.length === 0) return [];
    // A channel without a value at any point is omitted.
    const known = channels.flatMap(([channel], place) => {
      const values = points.map((point) => point.values[place] ?? null);
      return values.every((value) => value === null) ? [] : [[channel, values] as const];
    });
    const sourceType = sourceOf(summary);
    const stream: CanonicalRecord = {
      kind: 'stream',
      resource: 'workout_stream',
      workoutId: context.idOf('workouts', sourceType, providerId),
      providerId,
      sport: sportOf(sportSlug(summary)),
      source: context.sourceOf(sourceType),
      data: { time: points.map(({ time }) => time), ...Object.fromEntries(known) },
    };
    return recordedBy(deviceOfActivity(summary, context), [stream]);
  }).flat();
}
