import { Type, type TObject, type TSchema } from 'typebox';
import { nullable, openEnum, Uuid } from '../fields/fields.ts';
import { timeseriesResource } from '../resources/resources.ts';
import type { TimeseriesResource } from '../resources/types.ts';
import { sampleSchema } from '../series/samples.ts';
import { SourceContext } from '../fields/source-context.ts';

const pascal = (name: string) => name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Name of a series' sample type in generated clients, such as `HeartrateSample`. */
const sampleTitle = (row: TimeseriesResource) => `${pascal(row.name)}Sample`;

function titledSample(row: TimeseriesResource): TObject {
  return Type.Object(sampleSchema(row).properties, { title: sampleTitle(row), description: `One sample of ${row.name}: ${row.meaning}.` });
}

const samples = new Map<string, TObject>();

/** Schema of one sample of a series, with the title that generated clients use. */
export function namedSampleSchema(row: TimeseriesResource): TObject {
  const known = samples.get(row.name) ?? titledSample(row);
  samples.set(row.name, known);
  return known;
}

/** Response of the grouped read of one series. */
export function groupedBody(row: TimeseriesResource): TObject {
  const sample = namedSampleSchema(row);
  const reason = Type.Optional(
    openEnum(['only_source', 'highest_priority', 'fills_gap'], 'With source=merged: why the samples of this source are there.'),
  );
  const group = Type.Object({ source: SourceContext, data: Type.Array(sample), reason }, { title: `${pascal(row.name)}Group` });
  return Type.Object(
    {
      groups: Type.Record(Type.String(), Type.Array(group), {
        description: 'Provider slug to its groups, one per source context; samples ascend in time.',
      }),
      next_cursor: nullable(Type.String(), { description: 'Cursor of the next page; null on the last page.' }),
      next: nullable(Type.String(), { deprecated: true, description: 'Same as next_cursor.' }),
    },
    { title: `Grouped${pascal(row.name)}` },
  );
}

/** Response of the deprecated flat read of one series: its samples without their sources. */
export function flatBody(row: TimeseriesResource): TSchema {
  return Type.Array(namedSampleSchema(row));
}

/** Path with the id of a sleep's summary. */
export const SleepParams = Type.Object({ sleep_id: Uuid }, { title: 'SleepParams' });

const streamed = (name: string) => Type.Array(namedSampleSchema(timeseriesResource(name)));

/** The series whose samples make up the stream of a night. */
export const sleepStreamSeries = ['hrv', 'heartrate', 'respiratory_rate'] as const;

/** Response of the stream of a sleep; a series without samples in that night is empty. */
export const SleepStreamBody = Type.Object(
  {
    hrv: streamed('hrv'),
    heartrate: streamed('heartrate'),
    hypnogram: Type.Array(namedSampleSchema(timeseriesResource('hypnogram')), { description: 'The sleep stages, as intervals.' }),
    respiratory_rate: streamed('respiratory_rate'),
  },
  { title: 'SleepStream' },
);
