import { Type, type TSchema } from 'typebox';

/** Adds the missing keys of a value by its schema: every key is sent, as null when there is no value. */
export type Complete = (value: unknown) => unknown;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function completeObject(properties: Readonly<Record<string, TSchema>>): Complete {
  const fields = Object.entries(properties).map(([key, schema]) => ({ key, complete: createComplete(schema) }));
  return (value) => {
    if (!isObject(value)) return value;
    const whole: Record<string, unknown> = {};
    for (const { key, complete } of fields) {
      const field = complete(value[key]);
      if (field !== undefined) whole[key] = field;
    }
    return whole;
  };
}

function completeNullable(inner: TSchema): Complete {
  const complete = createComplete(inner);
  const isList = Type.IsArray(inner) || Type.IsRecord(inner);
  return (value) => (value === null || (value === undefined && !isList) ? null : complete(value));
}

/**
 * Returns a function that adds every key of its schema to a value: null where null is allowed, an empty list or map, or the schema's
 * default. Existing values are kept, unknown keys are dropped, and a missing required value stays missing.
 */
export function createComplete(schema: TSchema): Complete {
  if (Type.IsUnion(schema)) {
    const [inner, none] = schema.anyOf;
    if (inner !== undefined && none !== undefined && Type.IsNull(none)) return completeNullable(inner);
  }
  if (Type.IsNull(schema)) return () => null;
  if (Type.IsObject(schema)) return completeObject(schema.properties);
  if (Type.IsArray(schema)) {
    const complete = createComplete(schema.items);
    return (value) => (Array.isArray(value) ? value.map(complete) : (value ?? []));
  }
  if (Type.IsRecord(schema)) {
    const complete = createComplete(Type.RecordValue(schema));
    return (value) => (isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, complete(item)])) : {});
  }
  const fallback: unknown = 'default' in schema ? schema.default : undefined;
  return (value) => (value === undefined ? fallback : value);
}
