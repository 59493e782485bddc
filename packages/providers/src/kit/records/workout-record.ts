import { renderDateTime, type OffsetOrigin, type Summary } from '@pulsewire/contract';
import type { JsonNode } from '../values/json-node.ts';
import { sportOf } from '../values/sports.ts';
import type { RecordMaker } from './record-maker.ts';

/** A workout in provider-independent form; null for unknown values. */
export interface WorkoutParts {
  /** The provider's own id. */
  readonly externalId: string;
  readonly sourceType: string;
  /** Local day on which it started. */
  readonly day: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly offset: number | null;
  /** Absent: as the connector declares. */
  readonly offsetFrom?: OffsetOrigin | undefined;
  readonly title: string | null;
  /** Slug of `kit/sports.ts`. */
  readonly sport: string;
  /** The part of the response that describes the workout. Absent where none does. */
  readonly raw?: JsonNode | undefined;
  /** Additional fields: distance, calories, average_hr, … */
  readonly data: Readonly<Record<string, unknown>>;
}

/** The workout's summary. */
export function workoutRecord(maker: RecordMaker, workout: WorkoutParts): Summary {
  const { externalId, sourceType, day, startMs, endMs, offset, title, sport, data } = workout;
  return maker.summary({
    resource: 'workouts',
    sourceType,
    externalId,
    calendarDate: day,
    at: startMs,
    offsetFrom: workout.offsetFrom,
    raw: workout.raw,
    data: {
      title,
      timezone_offset: offset,
      time_start: renderDateTime(startMs),
      time_end: renderDateTime(endMs),
      sport: sportOf(sport),
      provider_id: externalId,
      ...data,
    },
  });
}
