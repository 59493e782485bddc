import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import { leaveOut } from '../../kit/records/left-out.ts';
import { withZones } from '../../kit/records/heart-rate-zones.ts';
import { workoutRecord } from '../../kit/records/workout-record.ts';
import { JsonNode, readWhole } from '../../kit/values/json-node.ts';
import { sportOf } from '../../kit/values/sports.ts';
import { sportByWords } from '../../kit/values/sport-by-words.ts';
import type { LeftOutBefore, MappedRecords, PullWindow } from '../../kit/types/connector.ts';
import { app, readId, readStart, type RunkeeperContext } from '../runkeeper.ts';
import { readTrack } from './track.ts';

/** `Other` has its sport in free text. */
function sportSlugOf(item: JsonNode): string {
  const [type, second] = [item.at('type'), item.at('secondary_type')].map((node) => node.optional((inner) => inner.words()) ?? '');
  return sportByWords(type === 'Other' && second !== undefined ? second : (type ?? ''));
}

/** Why there is nothing to be read: some entries are those of friends, some are still in progress, and some corrupt ones last no time. */
function reasonToSkip(item: JsonNode, providerUserId: string): LeftOutBefore | null {
  const owner = item.at('userID').optional((node) => node.id());
  if ((owner ?? providerUserId) !== providerUserId) return 'other_person';
  if (item.at('is_live').value === true) return 'unfinished';
  return item.at('duration').amount() > 0 ? null : 'no_value';
}

function readActivity(item: JsonNode, context: RunkeeperContext, window: PullWindow | null, quarantined: Quarantined[]): CanonicalRecord[] {
  const reason = reasonToSkip(item, context.user.providerUserId);
  if (reason !== null) {
    leaveOut(window, reason);
    return [];
  }
  const start = readStart(item, context);
  const externalId = readId(item);
  const seconds = item.at('duration').amount();
  const amount = (key: string) => item.at(key).optional((node) => node.amount());
  const track = readTrack(item, start.ms, quarantined);
  const beats = (track?.data.heartrate ?? []).filter((value) => value !== null);
  const sport = sportSlugOf(item);
  const average = amount('average_heart_rate');
  const workout = workoutRecord(context, {
    raw: item,
    externalId,
    sourceType: app,
    day: start.day,
    startMs: start.ms,
    // The duration is without pauses; the last point of the track shows when it ended.
    endMs: Math.round(start.ms + Math.max(seconds, track?.lastSecond ?? 0) * 1000),
    offset: start.offset,
    offsetFrom: start.offsetFrom,
    title: item.at('notes').optional((node) => node.words()) || null,
    sport,
    data: {
      calories: amount('total_calories'),
      distance: amount('total_distance'),
      average_hr: average === null || average === 0 ? null : Math.round(average),
      max_hr: beats.length === 0 ? null : beats.reduce((a, b) => Math.max(a, b)),
      moving_time: Math.round(seconds),
      total_elevation_gain: amount('climb'),
    },
  });
  if (!track) return [workout];
  const { data } = track;
  const workoutId = workout.id;
  return [
    withZones(context.user, workout, data),
    { kind: 'stream', resource: 'workout_stream', workoutId, providerId: externalId, sport: sportOf(sport), source: workout.source, data },
  ];
}

/** `/fitnessActivities/{id}`: a workout and its track. */
export function mapActivity(body: unknown, context: RunkeeperContext, window: PullWindow | null = null): MappedRecords {
  const quarantined: Quarantined[] = [];
  const read = () => readActivity(new JsonNode(body), context, window, quarantined);
  return { records: readWhole('workouts', quarantined, read) ?? [], quarantined };
}
