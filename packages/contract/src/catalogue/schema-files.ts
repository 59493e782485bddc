import { Type } from 'typebox';
import { Envelope, TeamEnvelope } from '../events/envelope.ts';
import { eventFamilies, type EventFamily } from '../events/events.ts';
import { goldenSample } from '../examples/golden-sample.ts';

const dialect = 'https://json-schema.org/draft/2020-12/schema';

function document(name: string, schema: object): object {
  return { $schema: dialect, $id: `urn:pulsewire:events:${name}`, ...schema };
}

/** Schema of a family's webhook body: the envelope, with its event types and its data. */
export function bodySchema({ name, eventTypes, data, hasUser, isDeprecated }: EventFamily): object {
  const envelope = hasUser ? Envelope : TeamEnvelope;
  const body = Type.Object(
    { ...envelope.properties, event_type: Type.Unsafe<string>({ type: 'string', enum: [...eventTypes] }), data },
    { title: name, additionalProperties: false, ...(isDeprecated ? { deprecated: true } : {}) },
  );
  return document(name, body);
}

function toText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Every generated file of `schemas/events/`: path relative to that folder, and text. */
export function schemaFiles(): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  files.set('envelope.json', toText(document('envelope', Type.Union([Envelope, TeamEnvelope]))));
  const fileOf: Record<string, string> = {};
  for (const family of eventFamilies) {
    for (const eventType of family.eventTypes) fileOf[eventType] = `${family.name}.json`;
    const example = goldenSample(family);
    files.set(`${family.name}.json`, toText({ ...bodySchema(family), examples: [example] }));
    files.set(`samples/${family.name}.json`, toText(example));
  }
  files.set('index.json', toText(fileOf));
  return files;
}
