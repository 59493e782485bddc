import { AppError } from '@pulsewire/kernel';
import {
  SourceContext,
  findResource,
  renderSource,
  unpackSamples,
  type PackedHeader,
  type Sample,
  type SourceRef,
} from '@pulsewire/contract';
import { avroNamespace, dateTime, nullableField, uuid, type AvroField, type AvroNode, type AvroSchema } from './avro-schema.ts';
import { isPlainObject, isWhole, notRepresentable } from './encode-value.ts';
import { RecordNames, pascalCase, translate } from './from-json-schema.ts';

type Row = Extract<NonNullable<ReturnType<typeof findResource>>, { kind: 'timeseries' }>;

/** A batch of samples as Avro encodes it: shared attributes are written once. */
export interface SamplesValue {
  readonly user_id: string;
  readonly source_id: number;
  readonly source: ReturnType<typeof renderSource>;
  readonly unit: string;
  readonly type: string | null;
  readonly samples: readonly Readonly<Record<string, unknown>>[];
}

function valueFields({ valueForm, meaning }: Row): readonly AvroField[] {
  if (valueForm === 'pressure')
    return [
      { name: 'systolic', type: 'double' },
      { name: 'diastolic', type: 'double' },
    ];
  return [{ name: 'value', type: valueForm === 'text' ? 'string' : 'double', doc: meaning }];
}

function extraType(isList: boolean): AvroSchema {
  return isList ? { type: 'array', items: 'string' } : 'string';
}

/** The Avro record of the batches of one series. */
export function samplesSchema(row: Row): AvroNode {
  const name = pascalCase(row.name);
  const source = translate(SourceContext, 'SourceContext', new RecordNames());
  const sample: AvroNode = {
    type: 'record',
    name: `${name}Sample`,
    namespace: avroNamespace,
    fields: [
      { name: 'timestamp', type: dateTime, doc: row.shape === 'interval' ? 'Start of the interval, inclusive.' : 'The instant.' },
      nullableField('end', dateTime, 'End of the interval, exclusive; null when it is not known.'),
      nullableField('timezone_offset', 'long', 'Seconds east of UTC; null when not known.'),
      ...(row.subKinds?.presence === 'optional' ? [nullableField('type', 'string')] : []),
      ...valueFields(row),
      ...row.extraFields.map((field) => nullableField(field.name, extraType(field.isList))),
    ],
  };
  return {
    type: 'record',
    name: `${name}Samples`,
    namespace: avroNamespace,
    doc: `Samples of one source, ${row.meaning}.`,
    series: row.name,
    fields: [
      { name: 'user_id', type: uuid },
      { name: 'source_id', type: 'long', doc: 'Numeric id of the provider.' },
      { name: 'source', type: source.avro },
      { name: 'unit', type: 'string', doc: 'Unit of all values.' },
      nullableField('type', 'string', 'Sub-kind of all samples, where the series has one.'),
      { name: 'samples', type: { type: 'array', items: sample } },
    ],
  };
}

function sampleValue(row: Row, { ts, end, value, value2, timezoneOffset, extra }: Sample): Record<string, unknown> {
  if (timezoneOffset !== null && !isWhole(timezoneOffset)) throw notRepresentable('not_an_integer', '/data/*/timezone_offset');
  const encoded: Record<string, unknown> = { timestamp: ts, end: end ?? null, timezone_offset: timezoneOffset };
  if (row.subKinds?.presence === 'optional') encoded['type'] = extra?.['type'] ?? null;
  if (row.valueForm === 'pressure') {
    encoded['systolic'] = value;
    encoded['diastolic'] = value2;
  } else encoded['value'] = row.valueForm === 'text' ? extra?.['text'] : value;
  for (const field of row.extraFields) encoded[field.name] = extra?.[field.name] ?? null;
  return encoded;
}

/** The batch of a packed event. Throws AppError `packed_samples_unreadable` for damaged bytes. */
export function samplesValue(row: Row, packed: Buffer): SamplesValue {
  const { header, samples } = unpackSamples(packed);
  if (header.resource !== row.name) throw notRepresentable('other_series', '/');
  return toValue(row, header, samples);
}

function toValue(row: Row, header: PackedHeader, samples: readonly Sample[]): SamplesValue {
  return {
    user_id: header.userId,
    source_id: header.sourceId,
    source: renderSource(header.source),
    unit: row.unit,
    type: header.subKind ?? null,
    samples: samples.map((sample) => sampleValue(row, sample)),
  };
}

function textOrNull(value: unknown, path: string): string | null {
  if (value !== null && value !== undefined && typeof value !== 'string') throw notRepresentable('not_a_text', path);
  return value ?? null;
}

function instant(value: unknown, path: string): number {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(ms)) throw notRepresentable('not_a_time', path);
  return ms;
}

/** The batch of an event whose data was written as JSON. The caller checks whether it reads back byte for byte. */
export function samplesValueOfJson(row: Row, data: unknown): SamplesValue {
  if (!isPlainObject(data) || !Array.isArray(data['data']) || !isPlainObject(data['source'])) throw notRepresentable('not_a_batch', '/');
  const items: readonly unknown[] = data['data'];
  const { source } = data;
  const first = items[0];
  const samples = items.map((item): Record<string, unknown> => {
    if (!isPlainObject(item)) throw notRepresentable('not_an_object', '/data/*');
    const end = row.shape === 'interval' || row.showsKnownEnd ? item['end'] : undefined;
    const encoded: Record<string, unknown> = {
      timestamp: instant(item['timestamp'], '/data/*/timestamp'),
      end: end === undefined ? null : instant(end, '/data/*/end'),
      timezone_offset: item['timezone_offset'] ?? null,
    };
    if (row.subKinds?.presence === 'optional') encoded['type'] = textOrNull(item['type'], '/data/*/type');
    for (const { name } of [...valueFields(row), ...row.extraFields]) encoded[name] = item[name] ?? null;
    return encoded;
  });
  if (typeof data['user_id'] !== 'string' || typeof data['source_id'] !== 'number') throw notRepresentable('not_a_batch', '/');
  const ref: SourceRef = {
    provider: String(source['provider']),
    type: String(source['type']),
    appId: textOrNull(source['app_id'], '/source/app_id'),
    deviceId: textOrNull(source['device_id'], '/source/device_id'),
    sport: textOrNull(source['sport'], '/source/sport'),
    workoutId: textOrNull(source['workout_id'], '/source/workout_id'),
  };
  const hasSubKind = row.subKinds?.presence === 'required';
  return {
    user_id: data['user_id'],
    source_id: data['source_id'],
    source: renderSource(ref),
    unit: row.unit,
    type: hasSubKind && isPlainObject(first) ? textOrNull(first['type'], '/data/*/type') : null,
    samples,
  };
}

/** A sample of the batch in its canonical form. */
export function sampleOf(row: Row, value: Readonly<Record<string, unknown>>): Sample {
  const extra: Record<string, unknown> = {};
  if (row.subKinds?.presence === 'optional') extra['type'] = value['type'];
  if (row.valueForm === 'text') extra['text'] = value['value'];
  for (const { name } of row.extraFields) extra[name] = value[name];
  const number = row.valueForm === 'pressure' ? value['systolic'] : value['value'];
  return {
    ts: value['timestamp'] as number,
    value: row.valueForm === 'text' ? null : (number as number),
    timezoneOffset: value['timezone_offset'] as number | null,
    ...(value['end'] === null ? {} : { end: value['end'] as number }),
    ...(row.valueForm === 'pressure' ? { value2: value['diastolic'] as number } : {}),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

/** The contract's row of a series. Throws AppError `series_unknown` when this version of the contract has no series of that name. */
export function rowOf(series: string): Row {
  const row = findResource(series);
  if (row?.kind === 'timeseries') return row;
  const message = `A record contains the series ${series.slice(0, 100)}, which this version does not know`;
  throw new AppError({ code: 'series_unknown', kind: 'invalid', message });
}
