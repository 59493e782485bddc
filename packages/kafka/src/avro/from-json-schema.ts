import { avroNamespace, date, dateTime, uuid, type AvroField, type AvroSchema } from './avro-schema.ts';
import {
  encodeBoolean,
  encodeDate,
  encodeDateTime,
  encodeInteger,
  encodeList,
  encodeMap,
  encodeNull,
  encodeNullable,
  encodeNumber,
  encodeObject,
  encodeText,
  type Encode,
  type EncodedField,
} from './encode-value.ts';

/** The parts of JSON Schema that the contract uses. */
export interface JsonSchema {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly format?: string;
  readonly const?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
}

/** An Avro schema with its encoder. */
export interface Translated {
  readonly avro: AvroSchema;
  readonly encode: Encode;
}

/** Names of the records of one schema: Avro requires each to be defined once and referenced by name afterwards. */
export class RecordNames {
  readonly #byShape = new Map<string, string>();
  readonly #taken = new Set<string>();

  /** The full name of a record of this shape, and whether it is defined already. */
  reserve(shape: string, wanted: string): { name: string; isDefined: boolean } {
    const known = this.#byShape.get(shape);
    if (known !== undefined) return { name: known, isDefined: true };
    let name = wanted;
    for (let number = 2; this.#taken.has(name); number++) name = `${wanted}${number}`;
    this.#taken.add(name);
    this.#byShape.set(shape, name);
    return { name, isDefined: false };
  }
}

/** `resource_availability` as the name of a record: `ResourceAvailability`. */
export function pascalCase(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

const texts: Readonly<Record<string, Translated>> = {
  'date-time': { avro: dateTime, encode: encodeDateTime },
  date: { avro: date, encode: encodeDate },
  uuid: { avro: uuid, encode: encodeText },
};

function bug(what: string): Error {
  return new TypeError(`No Avro schema can be generated yet for this schema of the contract: ${what}`);
}

function translateObject(schema: JsonSchema, name: string, names: RecordNames): Translated {
  if (schema.patternProperties !== undefined) {
    const [item] = Object.values(schema.patternProperties);
    if (item === undefined) throw bug('a map without values');
    const values = translate(item, `${name}Item`, names);
    return { avro: { type: 'map', values: values.avro }, encode: encodeMap(values.encode) };
  }
  const claimed = names.reserve(JSON.stringify(schema), schema.title ?? name);
  const fields = Object.entries(schema.properties ?? {}).map(([key, value]) => translateField(key, value, schema, claimed.name, names));
  const encode = encodeObject(fields.map((field) => field.encoded));
  if (claimed.isDefined) return { avro: `${avroNamespace}.${claimed.name}`, encode };
  return { avro: { type: 'record', name: claimed.name, namespace: avroNamespace, fields: fields.map((field) => field.avro) }, encode };
}

function isNull(schema: JsonSchema): boolean {
  return schema.type === 'null';
}

function translateField(
  name: string,
  schema: JsonSchema,
  owner: JsonSchema,
  ownerName: string,
  names: RecordNames,
): { avro: AvroField; encoded: EncodedField } {
  const isRequired = owner.required?.includes(name) === true;
  const inner = translate(schema, `${ownerName}${pascalCase(name)}`, names);
  const doc = schema.description ?? schema.anyOf?.[0]?.description;
  const described = doc === undefined ? {} : { doc };
  const isNullable = isNull(schema) || schema.anyOf?.some(isNull) === true;
  if (isRequired) {
    return {
      avro: { name, type: inner.avro, ...described },
      encoded: { name, encode: inner.encode, whenAbsent: undefined, isAbsentWhenNull: false },
    };
  }
  if (isNullable) {
    return {
      avro: { name, type: inner.avro, ...described, default: null },
      encoded: { name, encode: inner.encode, whenAbsent: 'null', isAbsentWhenNull: false },
    };
  }
  return {
    avro: { name, type: ['null', inner.avro], ...described, default: null, isAbsentWhenNull: true },
    encoded: { name, encode: inner.encode, whenAbsent: 'null', isAbsentWhenNull: true },
  };
}

/** The Avro schema of a schema of the contract. `name` is used for a record that has no title. */
export function translate(schema: JsonSchema, name: string, names: RecordNames): Translated {
  if (schema.anyOf !== undefined) {
    const [some, none] = schema.anyOf;
    if (some === undefined || none === undefined || !isNull(none) || schema.anyOf.length !== 2)
      throw bug('a union of other things than one and null');
    const inner = translate(some, name, names);
    return { avro: ['null', inner.avro], encode: encodeNullable(inner.encode) };
  }
  switch (schema.type) {
    case 'object':
      return translateObject(schema, name, names);
    case 'array': {
      if (schema.items === undefined) throw bug('a list without items');
      const item = translate(schema.items, `${name}Item`, names);
      return { avro: { type: 'array', items: item.avro }, encode: encodeList(item.encode) };
    }
    case 'string':
      return texts[schema.format ?? ''] ?? { avro: 'string', encode: encodeText };
    case 'integer':
      return { avro: 'long', encode: encodeInteger };
    case 'number':
      return { avro: 'double', encode: encodeNumber };
    case 'boolean':
      return { avro: 'boolean', encode: encodeBoolean };
    case 'null':
      return { avro: 'null', encode: encodeNull };
    case undefined:
    default:
      throw bug(JSON.stringify(schema.type));
  }
}
