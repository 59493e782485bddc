/** An Avro schema as JSON. Registries keep unknown attributes, and readers ignore them. */
export type AvroSchema = string | readonly AvroSchema[] | AvroNode;

export interface AvroNode {
  readonly type: string | AvroSchema;
  readonly name?: string;
  readonly namespace?: string;
  readonly doc?: string;
  readonly logicalType?: string;
  readonly fields?: readonly AvroField[];
  readonly items?: AvroSchema;
  readonly values?: AvroSchema;
  /** On the record of a batch of samples: its series, so that a reader can restore the contract's JSON. */
  readonly series?: string;
}

export interface AvroField {
  readonly name: string;
  readonly type: AvroSchema;
  readonly doc?: string;
  readonly default?: unknown;
  /** A null represents a key that is missing in the event's JSON. */
  readonly isAbsentWhenNull?: true;
}

export const avroNamespace = 'pulsewire.events';

export const dateTime: AvroNode = { type: 'long', logicalType: 'timestamp-millis' };
export const date: AvroNode = { type: 'int', logicalType: 'date' };
export const uuid: AvroNode = { type: 'string', logicalType: 'uuid' };

/** The alternative of a union besides null; null when the schema is not a union of null and one type. */
export function nullableInner(schema: AvroSchema): AvroSchema | null {
  if (!isUnion(schema) || schema.length !== 2 || schema[0] !== 'null') return null;
  return schema[1] ?? null;
}

export function isUnion(schema: AvroSchema): schema is readonly AvroSchema[] {
  return Array.isArray(schema);
}

/** A nullable field; null when read from an event written before the field existed. */
export function nullableField(name: string, type: AvroSchema, doc?: string): AvroField {
  return { name, type: ['null', type], default: null, ...(doc === undefined ? {} : { doc }) };
}
