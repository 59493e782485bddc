import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import { mapWhole } from '../../kit/records/map-records.ts';
import { isWithin } from '../../kit/records/left-out.ts';
import { msToDay } from '../../kit/time/days.ts';
import { JsonNode, readEach } from '../../kit/values/json-node.ts';
import { withZones } from '../../kit/records/heart-rate-zones.ts';
import { recordedBy, textOrNull } from '../../kit/records/recorded-by.ts';
import { workoutRecord } from '../../kit/records/workout-record.ts';
import { parseInstant, parseWallClock } from '../../kit/time/time.ts';
import type { MappedRecords, PullWindow } from '../../kit/types/connector.ts';
import { parseDuration, parseLocalTime } from '../time/parse-times.ts';
import { readStreamData } from '../exercise-stream.ts';
import { listIn, polarDevice, positive, watch, type PolarContext } from '../polar.ts';
import { polarSport } from '../sports.ts';

const rounded = (value: number | null): number | null => (value === null ? null : Math.round(value));

/** A local time with a separate offset in minutes; without one, the user's zone applies. */
function readStart(item: JsonNode, context: Omit<PolarContext, 'clock'>) {
  const wallMs = item.at('start_time').time(parseLocalTime);
  const minutes = item.at('start_time_utc_offset').optional((node) => node.number());
  if (minutes !== null) return { wallMs, startMs: wallMs - minutes * 60_000, offset: minutes * 60, offsetFrom: 'value' as const };
  const zone = context.zoneOn(msToDay(wallMs));
  const { ms, offset } = zone.toInstant(wallMs);
  return { wallMs, startMs: ms, offset, offsetFrom: zone.originAt(ms) };
}

function readExercise(item: JsonNode, quarantined: Quarantined[], context: Omit<PolarContext, 'clock'>): CanonicalRecord[] {
  const externalId = item.at('id').id();
  const { wallMs, startMs, offset, offsetFrom } = readStart(item, context);
  const durationMs = item.at('duration').time(parseDuration);
  const nameAt = (key: string) => item.at(key).optional((node) => node.text());
  const sport = polarSport(nameAt('detailed_sport_info'), nameAt('sport'));
  const heart = item.at('heart_rate');
  const workout = workoutRecord(context, {
    raw: item,
    externalId,
    sourceType: watch,
    day: msToDay(wallMs),
    startMs,
    endMs: startMs + durationMs,
    offset,
    offsetFrom,
    title: null,
    sport: sport.slug,
    data: {
      calories: positive(item.at('calories')),
      distance: positive(item.at('distance')),
      average_hr: rounded(positive(heart.at('average'))),
      max_hr: rounded(positive(heart.at('maximum'))),
    },
  });
  const device = polarDevice(item, context, textOrNull(item.at('device')));
  const data = readStreamData(item, startMs, quarantined);
  if (data === null) return [...recordedBy(device, [workout])];
  const source = { ...context.sourceOf(watch), sport: sport.slug };
  const stream = {
    kind: 'stream',
    resource: 'workout_stream',
    workoutId: workout.id,
    providerId: externalId,
    sport,
    source,
    data,
  } as const;
  return [...recordedBy<CanonicalRecord>(device, [withZones(context.user, workout, data), stream])];
}

/** `exercises/{id}`: the workout, and its samples and route as a stream. */
export function mapExercise(body: unknown, context: Omit<PolarContext, 'clock'>): MappedRecords {
  return mapWhole('workouts', (quarantined) => readExercise(new JsonNode(body), quarantined, context));
}

/** The day (UTC) of the upload; null when that is unknown. */
function uploadDayOf(item: JsonNode): string | null {
  const { value } = item.at('upload_time');
  const ms = typeof value === 'string' ? (parseInstant(value)?.ms ?? parseWallClock(value)) : undefined;
  return ms === undefined ? null : msToDay(ms);
}

/**
 * Ids of the exercises in a list that started or were uploaded on days of the window: a watch may stay unsynced for weeks.
 * Unreadable items are quarantined.
 */
export function exercisesIn(body: unknown, window: PullWindow): { readonly ids: readonly string[]; readonly quarantined: Quarantined[] } {
  const quarantined: Quarantined[] = [];
  const ids = readEach('workouts', listIn(body), quarantined, (item) => {
    const day = msToDay(item.at('start_time').time(parseLocalTime));
    const id = item.at('id').id();
    const uploadDay = uploadDayOf(item);
    return isWithin(day, window) || (uploadDay !== null && isWithin(uploadDay, window)) ? id : undefined;
  });
  return { ids, quarantined };
}
