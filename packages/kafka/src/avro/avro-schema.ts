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
  /** On the record of a batch of samples: which series it holds, so that a reader can write the contract's JSON again. */
  readonly series?: string;
}

export interface AvroField {
  readonly name: string;
  readonly type: AvroSchema;
  readonly doc?: string;
  readonly default?: unknown;
  /** A null stands for a key that the event's JSON does not have. */
  readonly isAbsentWhenNull?: true;
}

export const avroNamespace = 'pulsewire.events';

export const dateTime: AvroNode = { type: 'long', logicalType: 'timestamp-millis' };
export const date: AvroNode = { type: 'int', logicalType: 'date' };
export const uuid: AvroNode = { type: 'string', logicalType: 'uuid' };

/** The alternatives of a union without null; null when the schema is not `null or one thing`. */
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
