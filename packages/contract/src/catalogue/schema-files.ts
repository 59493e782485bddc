import { Type } from 'typebox';
import { Envelope, TeamEnvelope } from '../events/envelope.ts';
import { eventFamilies, type EventFamily } from '../events/events.ts';
import { goldenSample } from '../examples/golden-sample.ts';

const dialect = 'https://json-schema.org/draft/2020-12/schema';

function document(name: string, schema: object): object {
  return { $schema: dialect, $id: `urn:pulsewire:events:${name}`, ...schema };
}

/** The whole body of a family: the envelope, with its event types and its data. */
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

/** Every generated file of `schemas/events/`: its path below that folder, and its text. */
export function schemaFiles(): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  files.set('envelope.json', toText(document('envelope', Type.Union([Envelope, TeamEnvelope]))));
  const fileOf: Record<string, string> = {};
  for (const family of eventFamilies) {
    for (const eventType of family.eventTypes) fileOf[eventType] = `${family.name}.json`;
    files.set(`${family.name}.json`, toText(bodySchema(family)));
    files.set(`samples/${family.name}.json`, toText(goldenSample(family)));
  }
  files.set('index.json', toText(fileOf));
  return files;
}
