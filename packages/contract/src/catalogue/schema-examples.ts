import { eventFamilies, type EventFamily } from '../events/events.ts';
import { goldenSample } from '../examples/golden-sample.ts';
import { namedSampleSchema } from '../http/series.ts';
import { findResource } from '../resources/resources.ts';

/** The title of a schema, which generated clients use as its type name. */
export function titleOf(schema: object): string | undefined {
  return 'title' in schema && typeof schema.title === 'string' ? schema.title : undefined;
}

interface GoldenBody {
  readonly data: Readonly<Record<string, unknown>>;
}

/** A whole webhook body of a family. */
export function exampleBody(family: EventFamily): unknown {
  return goldenSample(family);
}

function namedExample(family: EventFamily): (readonly [title: string | undefined, example: unknown])[] {
  const { data } = goldenSample(family) as GoldenBody;
  const resource = findResource(family.name.slice(family.name.lastIndexOf('.') + 1));
  if (resource?.kind === 'summary') return [[titleOf(resource.schema), data]];
  if (resource?.kind === 'timeseries') return [[titleOf(namedSampleSchema(resource)), (data['data'] as readonly unknown[])[0]]];
  return [];
}

/** An example of each summary and of a sample of each series, by the title of its schema. */
export function schemaExamples(): ReadonlyMap<string, unknown> {
  const examples = eventFamilies.flatMap(namedExample);
  return new Map(examples.filter((entry): entry is readonly [string, unknown] => entry[0] !== undefined));
}
