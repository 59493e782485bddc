import { dayMs } from '@pulsewire/kernel';
import { createSampleWriter, renderDate, renderDateTime } from '@pulsewire/contract';
import avsc from 'avsc';
import { isUnion, nullableInner, type AvroNode, type AvroSchema } from './avro-schema.ts';
import { rowOf, sampleOf, type SamplesValue } from './samples-record.ts';

/** Reads records of one schema version, current or older, using the schema that the record was written with. */
export interface RecordReader {
  readonly type: avsc.Type;
  /** The value as Avro readers see it. Throws when the bytes do not match this schema. */
  toValue(bytes: Buffer): unknown;
  /** The JSON text of the event's `data` from which the record was created. */
  toJson(bytes: Buffer): string;
}

type Show = (value: unknown) => unknown;

const same: Show = (value) => value;
const showDateTime: Show = (value) => renderDateTime(value as number);
const showDate: Show = (value) => renderDate((value as number) * dayMs);

function isNode(schema: AvroSchema): schema is AvroNode {
  return typeof schema === 'object' && !isUnion(schema);
}

function showNode(schema: AvroNode, named: Map<string, Show>): Show {
  if (schema.logicalType === 'timestamp-millis') return showDateTime;
  if (schema.logicalType === 'date') return showDate;
  if (schema.type === 'record') return showRecord(schema, named);
  if (schema.type === 'array') {
    const item = show(schema.items ?? 'null', named);
    return item === same ? same : (value) => (value as unknown[]).map(item);
  }
  if (schema.type === 'map') {
    const item = show(schema.values ?? 'null', named);
    return (value) => Object.fromEntries(Object.entries(value as object).map(([key, one]) => [key, item(one)]));
  }
  return same;
}

function showRecord(schema: AvroNode, named: Map<string, Show>): Show {
  const fields = (schema.fields ?? []).map((field) => ({ ...field, show: show(field.type, named) }));
  const shown: Show = (value) => {
    const record = value as Readonly<Record<string, unknown>>;
    const json: Record<string, unknown> = {};
    for (const field of fields) {
      const one = record[field.name];
      if (one === null && field.isAbsentWhenNull === true) continue;
      json[field.name] = field.show === same ? one : field.show(one);
    }
    return json;
  };
  if (schema.name !== undefined) named.set(schema.namespace === undefined ? schema.name : `${schema.namespace}.${schema.name}`, shown);
  return shown;
}

function show(schema: AvroSchema, named: Map<string, Show>): Show {
  if (isNode(schema)) return showNode(schema, named);
  if (!isUnion(schema)) return named.get(schema) ?? same;
  const inner = nullableInner(schema);
  const shown = inner === null ? same : show(inner, named);
  return shown === same ? same : (value) => (value === null ? null : shown(value));
}

function samplesText(series: string, value: SamplesValue): string {
  const row = rowOf(series);
  // Uses the unit in the record, in case the unit in our resource registry ever changes.
  const write = createSampleWriter(row.unit === value.unit ? row : { ...row, unit: value.unit }, value.type ?? undefined);
  const samples = value.samples.map((sample) => write(sampleOf(row, sample))).join(',');
  const { provider, type, app_id, device_id, sport, workout_id } = value.source;
  const source = JSON.stringify({ provider, type, app_id, device_id, sport, workout_id });
  return `{"user_id":${JSON.stringify(value.user_id)},"source_id":${value.source_id},"source":${source},"data":[${samples}]}`;
}

/** A reader of records that were written with this schema. */
export function createReader(schema: AvroNode): RecordReader {
  // The library's types declare fewer attributes than Avro allows.
  const type = avsc.Type.forSchema(schema as unknown as avsc.Schema);
  const toValue = (bytes: Buffer): unknown => type.fromBuffer(bytes);
  const { series } = schema;
  if (series !== undefined) return { type, toValue, toJson: (bytes) => samplesText(series, toValue(bytes) as SamplesValue) };
  const toShown = show(schema, new Map());
  return { type, toValue, toJson: (bytes) => JSON.stringify(toShown(toValue(bytes))) };
}
