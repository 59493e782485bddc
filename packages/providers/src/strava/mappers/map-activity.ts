import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import { JsonNode, readWhole } from '../../kit/values/json-node.ts';
import { deviceFields, namedDevice, recordedBy, textOrNull } from '../../kit/records/recorded-by.ts';
import { workoutRecord } from '../../kit/records/workout-record.ts';
import type { MappedRecords } from '../../kit/types/connector.ts';
import { sportSlugOf } from '../sports.ts';
import { app, readStart, type StravaContext } from '../strava.ts';

/** `sport_type`; the deprecated `type` distinguishes fewer sports and is used only if `sport_type` is missing. */
export function sportOfActivity(item: JsonNode): string {
  const type = item.at('sport_type').isMissing ? item.at('type') : item.at('sport_type');
  return sportSlugOf(type.optional((node) => node.text()) ?? '', item.at('trainer').value === true);
}

function readMap(item: JsonNode): { readonly polyline: string | null; readonly summary_polyline: string | null } | null {
  const line = (key: string) =>
    item
      .at('map')
      .at(key)
      .optional((node) => node.text()) || null;
  const map = { polyline: line('polyline'), summary_polyline: line('summary_polyline') };
  return map.polyline === null && map.summary_polyline === null ? null : map;
}

/** The device that recorded an activity, as free text; null for one that was typed in. */
export function deviceOfActivity(item: JsonNode, context: StravaContext) {
  const facts = { sourceType: 'unknown', manufacturer: null, raw: deviceFields(item, ['device_name']) };
  return namedDevice(context, textOrNull(item.at('device_name')), facts);
}

function readActivity(item: JsonNode, context: StravaContext): CanonicalRecord {
  const start = readStart(item, context);
  const amount = (key: string) => item.at(key).optional((node) => node.amount());
  const level = (key: string) => item.at(key).optional((node) => node.number());
  const rounded = (key: string) => item.at(key).optional((node) => Math.round(node.amount()));
  const watts = amount('average_watts');
  return workoutRecord(context, {
    raw: item,
    externalId: item.at('id').id(),
    sourceType: app,
    day: start.day,
    startMs: start.ms,
    endMs: start.ms + item.at('elapsed_time').amount() * 1000,
    offset: start.offset,
    offsetFrom: start.offsetFrom,
    title: item.at('name').optional((node) => node.words()),
    sport: sportOfActivity(item),
    data: {
      // `kilojoules` is mechanical work, not energy expenditure.
      calories: amount('calories'),
      distance: amount('distance'),
      average_hr: rounded('average_heartrate'),
      max_hr: rounded('max_heartrate'),
      moving_time: rounded('moving_time'),
      total_elevation_gain: amount('total_elevation_gain'),
      elev_high: level('elev_high'),
      elev_low: level('elev_low'),
      average_speed: amount('average_speed'),
      max_speed: amount('max_speed'),
      average_watts: watts,
      // The flag `device_watts` means that they were measured; otherwise they are an estimate.
      device_watts: item.at('device_watts').value === true ? watts : null,
      max_watts: amount('max_watts'),
      weighted_average_watts: amount('weighted_average_watts'),
      map: readMap(item),
    },
  });
}

/** `/activities/{id}`: a workout. The list of activities contains no calories, so each is read individually. */
export function mapActivity(body: unknown, context: StravaContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  const item = new JsonNode(body);
  const record = readWhole('workouts', quarantined, () => readActivity(item, context));
  return { records: record === undefined ? [] : recordedBy(deviceOfActivity(item, context), [record]), quarantined };
}

/** The removals for a deleted activity and its stream. */
export function removeActivity(externalId: string, context: StravaContext): CanonicalRecord[] {
  return [context.removal({ resource: 'workouts', sourceType: app, externalId })];
}
