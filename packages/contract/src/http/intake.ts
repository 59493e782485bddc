import { Type, type Static, type TObject, type TProperties, type TSchema } from 'typebox';
import { closedEnum, DateTime, optionalInput, Uuid } from '../fields/fields.ts';
import { sourceTypes } from '../fields/source-context.ts';
import { summaryResources } from '../resources/summaries.ts';
import { timeseriesResources } from '../resources/timeseries.ts';
import { plausibleBodyFields, plausibleValues, type PlausibleRange } from '../resources/plausible-values.ts';
import type { ExtraField, SummaryResource, TimeseriesResource } from '../resources/types.ts';

/** Most samples and summaries of one request. */
export const intakeItemsMax = 10_000;

/** Summaries that exist once per day or once per user; all others are distinguished by `external_id`. */
export const summariesWithoutId: ReadonlySet<string> = new Set(['profile', 'activity', 'body']);

const closed = { additionalProperties: false };

/** An instant with its zone, because without one it would be ambiguous. */
const Instant = Type.String({
  ...DateTime,
  pattern: String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$`,
  description: 'With seconds and an offset or Z.',
});

const halfDaySeconds = 14 * 3600;
const Offset = optionalInput(Type.Integer({ minimum: -halfDaySeconds, maximum: halfDaySeconds, description: 'Seconds east of UTC.' }));

function typeInput({ subKinds }: TimeseriesResource): TProperties {
  if (subKinds === null) return {};
  if (subKinds.presence === 'optional') return { type: optionalInput(closedEnum(subKinds.values)) };
  return { type: subKinds.values === null ? Type.String({ minLength: 1, maxLength: 64 }) : closedEnum(subKinds.values) };
}

const limits = (range: PlausibleRange | undefined) => (range ? { minimum: range[0], maximum: range[1] } : {});

function valueInput({ name, valueForm, meaning: description }: TimeseriesResource): TProperties {
  const range = limits(plausibleValues[name]);
  switch (valueForm) {
    case 'pressure':
      return { systolic: Type.Number(range), diastolic: Type.Number(range) };
    case 'text':
      return { value: Type.String({ description, minLength: 1, maxLength: 10_000 }) };
    case 'number':
      return { value: Type.Number({ description, ...range }) };
  }
}

function timeInput({ shape, showsKnownEnd }: TimeseriesResource): TProperties {
  if (shape === 'interval') return { start: Instant, end: Instant };
  return { timestamp: Instant, ...(showsKnownEnd && { end: Type.Optional(Instant) }) };
}

const extraInput = ({ values, isList }: ExtraField): TSchema =>
  isList ? optionalInput(Type.Array(closedEnum(values), { maxItems: values.length })) : optionalInput(closedEnum(values));

function sampleInput(row: TimeseriesResource): TObject {
  const unit = Type.Optional(Type.Literal(row.unit, { description: 'May be left out; no other unit is converted.' }));
  const extras = Object.fromEntries(row.extraFields.map((field) => [field.name, extraInput(field)]));
  return Type.Object({ ...timeInput(row), timezone_offset: Offset, ...typeInput(row), unit, ...valueInput(row), ...extras }, closed);
}

/** Converts a response schema to a request schema: only known values, no keys without meaning, times with their zone. */
function received(schema: TSchema): TSchema {
  if (Type.IsUnion(schema)) {
    const inner = received(schema.anyOf[0] as TSchema);
    return Type.Unsafe({ ...inner, ...('enum' in inner && { enum: [...(inner.enum as unknown[]), null] }), type: [typeOf(inner), 'null'] });
  }
  if (Type.IsObject(schema)) return Type.Object(receivedFields(schema), closed);
  if (Type.IsArray(schema)) return Type.Array(received(schema.items), { maxItems: intakeItemsMax });
  if (Type.IsRecord(schema)) return Type.Record(Type.String(), received(Type.RecordValue(schema)));
  if (!Type.IsString(schema)) return schema;
  const { format, examples } = schema as { readonly format?: string; readonly examples?: readonly string[] };
  if (format === 'date-time') return Instant;
  return examples ? closedEnum(examples) : schema;
}

const typeOf = (schema: TSchema): unknown => ('type' in schema ? schema.type : undefined);

function receivedFields({ properties }: TObject): TProperties {
  return Object.fromEntries(
    Object.entries(properties).map(([key, schema]) => {
      const isRequired = !Type.IsOptional(schema) && !Type.IsUnion(schema);
      return [key, isRequired ? received(schema) : Type.Optional(received(schema))];
    }),
  );
}

/** Keys that the server sets itself. */
const derived: ReadonlySet<string> = new Set([
  'id',
  'user_id',
  'date',
  'source',
  'created_at',
  'updated_at',
  'source_provider',
  'source_type',
  'source_app_id',
  'source_device_id',
  'source_id',
  'provider_id',
  'priority_id',
  'sleep_id',
  'sleep_stream',
  'sport',
]);

function summaryInput({ name, schema }: SummaryResource): TObject {
  const ofSleep = name === 'sleep_cycle' ? ' The same as that of the sleep it belongs to.' : '';
  const description = `Your id of it: sending it again replaces what was sent before.${ofSleep}`;
  const external_id = Type.String({ minLength: 1, maxLength: 200, description });
  const ranges = name === 'body' ? plausibleBodyFields : {};
  const own = Object.entries(receivedFields(schema))
    .filter(([key]) => !derived.has(key))
    .map(([key, field]) => [key, Object.hasOwn(ranges, key) ? Type.Optional(Type.Unsafe({ ...field, ...limits(ranges[key]) })) : field]);
  return Type.Object(
    {
      ...(!summariesWithoutId.has(name) && { external_id }),
      ...Object.fromEntries(own),
      ...('sport' in schema.properties && { sport: Type.String({ maxLength: 64, description: 'Slug, such as running.' }) }),
    },
    closed,
  );
}

function lists(items: Readonly<Record<string, TObject>>): TObject {
  const list = ([name, item]: [string, TObject]) => [name, Type.Optional(Type.Array(item, { maxItems: intakeItemsMax }))];
  return Type.Object(Object.fromEntries(Object.entries(items).map(list)), closed);
}

const IntakeSource = Type.Object(
  {
    type: closedEnum(sourceTypes, { description: 'Kind of source that measured; part of the identity of a sample.' }),
    app_id: optionalInput(Type.String({ minLength: 1, maxLength: 200 })),
    device_id: optionalInput(Uuid),
  },
  closed,
);

/** POST /v2/user/{user_id}/data/{provider}: measurements of one source. */
export const IntakeBody = Type.Object(
  {
    source: IntakeSource,
    samples: Type.Optional(lists(Object.fromEntries(timeseriesResources.map((row) => [row.name, sampleInput(row)])))),
    summaries: Type.Optional(lists(Object.fromEntries(summaryResources.map((row) => [row.name, summaryInput(row)])))),
  },
  { ...closed, title: 'IntakeBody' },
);

/** A validated body, as far as types can express it: the fields of an item are those of its resource. */
export interface Intake {
  readonly source: Static<typeof IntakeSource>;
  readonly samples?: Readonly<Record<string, readonly IntakeItem[]>>;
  readonly summaries?: Readonly<Record<string, readonly IntakeItem[]>>;
}
export type IntakeItem = Readonly<Record<string, unknown>>;

const Counts = Type.Object({
  received: Type.Integer({ description: 'Sent in the body.' }),
  created: Type.Integer(),
  updated: Type.Integer(),
});

/** Why an item of a valid body was not stored. */
export const leftOutReasons = ['outside_ingestion_bounds', 'replaced_in_request'] as const;
export type LeftOutReason = (typeof leftOutReasons)[number];

const LeftOutItem = Type.Object(
  {
    loc: Type.Array(Type.Union([Type.String(), Type.Integer()]), { description: 'Place in the body, such as `["samples", "weight", 0]`.' }),
    reason: closedEnum(leftOutReasons, {
      description:
        "outside_ingestion_bounds: outside the user's `ingestion_start` and `ingestion_end`; replaced_in_request: a later item of the body is the same sample or summary.",
    }),
  },
  { title: 'LeftOutItem' },
);

/** The outcome of a data request. Items that are neither created, updated nor left out were already stored. */
export const IntakeResult = Type.Object(
  { samples: Counts, summaries: Counts, left_out: Type.Array(LeftOutItem, { description: 'Items that were not stored.' }) },
  { title: 'IntakeResult' },
);
