import { Type, type Static, type TObject } from 'typebox';
import { DateOnly, optional, Uuid } from '../fields/fields.ts';
import type { TimeseriesResource } from '../resources/types.ts';
import { sampleSchema } from '../series/samples.ts';
import { SourceContext } from '../fields/source-context.ts';
import { Sport } from '../summaries/sport.ts';

/** Most samples of one event, and most bytes of their JSON. */
export const batchSamplesMax = 1000;
export const batchBytesMax = 256 * 1024;

/** Data of the events of one series. */
export function sampleBatchSchema(row: TimeseriesResource): TObject {
  return Type.Object({
    user_id: Uuid,
    source_id: Type.Integer({ description: 'Numeric id of the provider.' }),
    source: SourceContext,
    data: Type.Array(sampleSchema(row), { minItems: 1, maxItems: batchSamplesMax }),
  });
}

/** Data of the workout stream events: the stream itself is read from its endpoint. */
export const WorkoutStreamStored = Type.Object(
  {
    user_id: Uuid,
    workout_id: Uuid,
    provider_id: Type.String({ description: 'Id of the workout at the provider.' }),
    message: Type.Optional(Type.String({ description: 'States where the stream can be read.' })),
    sport: Type.Optional(Sport),
    source: SourceContext,
  },
  { title: 'WorkoutStreamStored' },
);
export type WorkoutStreamStored = Static<typeof WorkoutStreamStored>;

const HistoryGap = Type.Object(
  {
    start_date: DateOnly,
    end_date: DateOnly,
    error_code: Type.String({ description: 'Why the last attempt failed.' }),
  },
  { title: 'HistoryGap' },
);

/** Data of a completed historical pull, once per resource after all its chunks. */
export const HistoricalPullCompleted = Type.Object(
  {
    user_id: Uuid,
    start_date: Type.String({ format: 'date-time', description: 'Start of the range that was read.' }),
    end_date: Type.String({ format: 'date-time', description: 'End of the range that was read.' }),
    provider: Type.String({ description: 'Provider slug.' }),
    gaps: optional(Type.Array(HistoryGap), {
      description: 'Parts of the range that were given up after all attempts, at most 100; null without any.',
    }),
  },
  { title: 'HistoricalPullCompleted' },
);
export type HistoricalPullCompleted = Static<typeof HistoricalPullCompleted>;
