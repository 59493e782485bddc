import { eventFamilies, expandSamples, findResource, pipelineEventFamilies } from '@pulsewire/contract';
import type avsc from 'avsc';
import type { EventBody } from '@pulsewire/eventlog';
import { avroNamespace, type AvroNode } from './avro-schema.ts';
import { notRepresentable, type Encode, type Encoding } from './encode-value.ts';
import { RecordNames, pascalCase, translate, type JsonSchema } from './from-json-schema.ts';
import { createReader, type RecordReader } from './read-record.ts';
import { rowOf, samplesSchema, samplesValue, samplesValueOfJson } from './samples-record.ts';

export interface EncodedBody {
  readonly bytes: Buffer;
  /** False when the JSON cannot be restored byte for byte from the Avro bytes. */
  readonly isExact: boolean;
  /** The decoded content of the bytes. */
  readonly value: unknown;
}

/** One kind of record on the topics: event types whose `data` has one shape share it. */
export interface RecordType {
  /** `Activity`, `StepsSamples`; also the name of the file in `schemas/avro`. */
  readonly name: string;
  /** With the namespace; the second half of the subject. */
  readonly fullName: string;
  readonly eventTypes: readonly string[];
  readonly schema: AvroNode;
  /** Exactly what is registered. */
  readonly schemaText: string;
  /** Avro bytes of an event's `data`. Throws AppError `not_representable` with a reason, never a value. */
  encode(body: EventBody): EncodedBody;
  /** Reads what `encode` wrote. */
  readonly reader: RecordReader;
}

function write(type: avsc.Type, value: unknown): Buffer {
  try {
    return type.toBuffer(value);
  } catch {
    // The library's message quotes the value.
    throw notRepresentable('wrong_type', '/');
  }
}

/** The original text, if it equals our own serialization; any other text cannot be reproduced from the value. */
function parse(json: string, encoding: Encoding): unknown {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw notRepresentable('not_json', '/');
  }
  if (JSON.stringify(value) !== json) encoding.isExact = false;
  return value;
}

function define(
  name: string,
  eventTypes: readonly string[],
  schema: AvroNode,
  encodeWith: (type: avsc.Type, reader: RecordReader) => RecordType['encode'],
): RecordType {
  const schemaText = JSON.stringify(schema);
  const reader = createReader(schema);
  return { name, fullName: `${avroNamespace}.${name}`, eventTypes, schema, schemaText, reader, encode: encodeWith(reader.type, reader) };
}

function objectRecord(name: string, eventTypes: readonly string[], data: JsonSchema): RecordType {
  const { avro, encode } = translate({ ...data, title: name }, name, new RecordNames());
  return define(name, eventTypes, avro as AvroNode, (type) => objectEncoder(type, encode));
}

function objectEncoder(type: avsc.Type, encode: Encode): RecordType['encode'] {
  return (body) => {
    const encoding = { isExact: true };
    const json = body.kind === 'json' ? body.json : expandSamples(body.packed);
    const value = encode(parse(json, encoding), encoding, '');
    return { bytes: write(type, value), isExact: encoding.isExact, value };
  };
}

function samplesRecord(resource: string, eventTypes: readonly string[]): RecordType {
  const row = rowOf(resource);
  const name = `${pascalCase(row.name)}Samples`;
  return define(name, eventTypes, samplesSchema(row), (type, reader) => (body) => {
    // Packed samples are rendered by the same code on both sides, so no comparison is needed.
    if (body.kind === 'samples') {
      const packed = samplesValue(row, body.packed);
      return { bytes: write(type, packed), isExact: true, value: packed };
    }
    const value = samplesValueOfJson(row, parse(body.json, { isExact: true }));
    const bytes = write(type, value);
    return { bytes, isExact: reader.toJson(bytes) === body.json, value };
  });
}

function seriesOf(familyName: string): string | null {
  const resource = findResource(familyName.slice(familyName.lastIndexOf('.') + 1));
  return resource?.kind === 'timeseries' && familyName.startsWith('daily.') ? resource.name : null;
}

function buildAll(): RecordType[] {
  const types = new Map<string, RecordType>();
  for (const { name: familyName, eventTypes, data } of eventFamilies) {
    const series = seriesOf(familyName);
    const schema = data as JsonSchema;
    const made =
      series === null ? objectRecord(schema.title ?? pascalCase(familyName), eventTypes, schema) : samplesRecord(series, eventTypes);
    const known = types.get(made.name);
    types.set(made.name, known === undefined ? made : { ...made, eventTypes: [...known.eventTypes, ...eventTypes] });
  }
  for (const { eventType, data } of pipelineEventFamilies) {
    const made = objectRecord((data as JsonSchema).title ?? pascalCase(eventType), [eventType], data);
    types.set(made.name, made);
  }
  return [...types.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Every record type, generated from the contract. */
export const recordTypes: readonly RecordType[] = buildAll();

const byEventType: ReadonlyMap<string, RecordType> = new Map(
  recordTypes.flatMap((record) => record.eventTypes.map((type) => [type, record] as const)),
);

/** The record type of an event type; undefined for a type that has no schema yet. */
export function findRecordType(eventType: string): RecordType | undefined {
  return byEventType.get(eventType);
}
