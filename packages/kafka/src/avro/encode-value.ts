import { AppError, dayMs } from '@pulsewire/kernel';
import { renderDate, renderDateTime } from '@pulsewire/contract';

/** State collected while an event is encoded as Avro. */
export interface Encoding {
  /** False once the JSON cannot be reproduced byte for byte from the Avro value. */
  isExact: boolean;
}

/** Converts a JSON value into the value that Avro encodes. Throws AppError `not_representable` with the path, never the value. */
export type Encode = (value: unknown, encoding: Encoding, path: string) => unknown;

/** Error for a value that the record's schema cannot represent. `reason` is a stable code. */
export function notRepresentable(reason: string, path: string): AppError {
  return new AppError({
    code: 'not_representable',
    kind: 'invalid',
    message: 'An event does not fit the schema of its type',
    details: { reason, path },
  });
}

export const encodeText: Encode = (value, encoding, path) => {
  if (typeof value !== 'string') throw notRepresentable('not_a_text', path);
  // A lone surrogate has no UTF-8 encoding and is replaced.
  if (!value.isWellFormed()) encoding.isExact = false;
  return value;
};

export const encodeBoolean: Encode = (value, _encoding, path) => {
  if (typeof value !== 'boolean') throw notRepresentable('not_a_boolean', path);
  return value;
};

// avsc writes larger ones without an error, and reads back other values.
const integerMax = 2 ** 52 - 1;

/** Whether the number is an integer that Avro encodes without loss. */
export function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value) && Math.abs(value as number) <= integerMax;
}

export const encodeInteger: Encode = (value, _encoding, path) => {
  if (!isWhole(value)) throw notRepresentable('not_an_integer', path);
  return value;
};

export const encodeNumber: Encode = (value, _encoding, path) => {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw notRepresentable('not_a_number', path);
  return value;
};

export const encodeNull: Encode = (value, _encoding, path) => {
  if (value !== null) throw notRepresentable('not_null', path);
  return null;
};

export const encodeDateTime: Encode = (value, encoding, path) => {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(ms)) throw notRepresentable('not_a_time', path);
  if (renderDateTime(ms) !== value) encoding.isExact = false;
  return ms;
};

export const encodeDate: Encode = (value, _encoding, path) => {
  const ms = typeof value === 'string' ? Date.parse(`${value}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(ms) || renderDate(ms) !== value) throw notRepresentable('not_a_day', path);
  return ms / dayMs;
};

/** Null, or a value that `inner` accepts. */
export function encodeNullable(inner: Encode): Encode {
  return (value, encoding, path) => (value === null ? null : inner(value, encoding, path));
}

/** A list of items that `item` accepts. */
export function encodeList(item: Encode): Encode {
  return (value, encoding, path) => {
    if (!Array.isArray(value)) throw notRepresentable('not_a_list', path);
    return value.map((one: unknown) => item(one, encoding, `${path}/*`));
  };
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A map from any text to values that `item` accepts. */
export function encodeMap(item: Encode): Encode {
  return (value, encoding, path) => {
    if (!isPlainObject(value)) throw notRepresentable('not_an_object', path);
    const entries = Object.entries(value);
    // Readers build plain objects, in which this key sets the prototype.
    if (Object.hasOwn(value, '__proto__')) throw notRepresentable('bad_key', path);
    if (entries.some(([key]) => !key.isWellFormed())) encoding.isExact = false;
    return Object.fromEntries(entries.map(([key, one]) => [key, item(one, encoding, `${path}/*`)]));
  };
}

export interface EncodedField {
  readonly name: string;
  readonly encode: Encode;
  /** The value for a missing key; undefined when the key is required. */
  readonly whenAbsent: 'null' | 'empty_list' | 'empty_map' | undefined;
  /** A null of the Avro value is read as a missing key. */
  readonly isAbsentWhenNull: boolean;
}

const fillers = { null: () => null, empty_list: () => [], empty_map: () => ({}) };

/** An object with exactly these keys. With another key order or a missing key the encoding is not exact; an unknown key is refused. */
export function encodeObject(fields: readonly EncodedField[]): Encode {
  const names = new Set(fields.map((field) => field.name));
  return (value, encoding, path) => {
    if (!isPlainObject(value)) throw notRepresentable('not_an_object', path);
    const keys = Object.keys(value);
    const encoded: Record<string, unknown> = {};
    let seen = 0;
    for (const field of fields) {
      if (keys[seen] !== field.name && !Object.hasOwn(value, field.name)) {
        if (field.whenAbsent === undefined) throw notRepresentable('missing_key', `${path}/${field.name}`);
        if (!field.isAbsentWhenNull) encoding.isExact = false;
        encoded[field.name] = fillers[field.whenAbsent]();
        continue;
      }
      if (keys[seen] !== field.name) encoding.isExact = false;
      seen += 1;
      encoded[field.name] = field.encode(value[field.name], encoding, `${path}/${field.name}`);
    }
    if (seen !== keys.length) {
      const unknown = keys.find((key) => !names.has(key));
      throw notRepresentable('unknown_key', `${path}/${unknown ?? ''}`);
    }
    return encoded;
  };
}
