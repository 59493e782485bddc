import { Type, type TSchema } from 'typebox';
import { nullable } from '../fields/fields.ts';
import type { TimeseriesResource } from '../resources/types.ts';
import { sampleSchema } from './samples.ts';
import { SourceContext } from '../fields/source-context.ts';

/** Any sample, where one schema stands for all series. */
export const AnySample = Type.Object(
  { timestamp: Type.String({ format: 'date-time' }), unit: Type.String() },
  { title: 'Sample', additionalProperties: true },
);

function grouped<Sample extends TSchema>(sample: Sample) {
  return Type.Object({
    groups: Type.Record(Type.String(), Type.Array(Type.Object({ source: SourceContext, data: Type.Array(sample) })), {
      description: 'Provider slug to its groups, one for each source context; samples ascend in time.',
    }),
    next_cursor: nullable(Type.String(), { description: 'Cursor of the next page; null on the last.' }),
    next: nullable(Type.String(), { deprecated: true, description: 'Same as next_cursor.' }),
  });
}

/** Answer of the grouped read, whatever the series. */
export const GroupedBody = grouped(AnySample);

/** Answer of the grouped read of one series. */
export function groupedSchema(row: TimeseriesResource): TSchema {
  return grouped(sampleSchema(row));
}
