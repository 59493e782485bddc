import { Type, type Static, type TSchema, type TSchemaOptions } from 'typebox';

/** Identifier: lower-case hex with hyphens. */
export const Uuid = Type.String({ format: 'uuid' });

/** A day, `YYYY-MM-DD`. */
export const DateOnly = Type.String({ format: 'date' });

/** Day of birth of a living person; neither before 1900 nor in the future. */
export const BirthDate = Type.String({ format: 'date', formatMinimum: '1900-01-01', 'x-not-after': 'today' });

/** Five digits, ignoring blanks around them. */
export const ZipCode = Type.String({ 'x-blanks': 'ignored', pattern: '^\\d{5}$' });
/** As `ZipCode`, or with the four digits of ZIP+4. */
export const PostalCode = Type.String({ 'x-blanks': 'ignored', pattern: '^\\d{5}(-\\d{4})?$' });

/** An instant with its offset; ours are always rendered in UTC as `+00:00`. */
export const DateTime = Type.String({ format: 'date-time' });

/** Seconds east of UTC; null when unknown. */
export const ZoneOffset = Type.Union([Type.Integer({ description: 'Seconds east of UTC.' }), Type.Null()]);

/** A value or null; the key is always present. */
export function nullable<T extends TSchema>(schema: T, options: TSchemaOptions = {}) {
  return Type.Union([schema, Type.Null()], options);
}

/** A key that a body may lack. We always send it, as null when there is no value. */
export function optional<T extends TSchema>(schema: T, options: TSchemaOptions = {}) {
  return Type.Optional(nullable(schema, options));
}

/**
 * A key of a request that may be absent or null. One schema with two types instead of a union of schemas: a validator then
 * reports one failing field as one error.
 */
export function optionalInput<T extends TSchema & { readonly type: string }>(schema: T, options: TSchemaOptions = {}) {
  const values = 'enum' in schema && Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {};
  return Type.Optional(Type.Unsafe<Static<T> | null>({ ...schema, ...values, ...options, type: [schema.type, 'null'] }));
}

/** An optional number in the unit stated in its description. */
export function optionalNumber(description: string) {
  return optional(Type.Number({ description }));
}

/** An optional whole number in the unit stated in its description. */
export function optionalInteger(description: string) {
  return optional(Type.Integer({ description }));
}

/** An optional text. */
export function optionalText(description: string) {
  return optional(Type.String({ description }));
}

/**
 * An enumeration that may gain values: a plain string in responses and events, with the known values documented,
 * so that a strict client does not fail on a new one.
 */
export function openEnum(values: readonly string[], description = '') {
  const known = `Known values: ${values.join(', ')}. More may be added.`;
  return Type.String({ description: description === '' ? known : `${description} ${known}`, examples: [...values] });
}

/** An enumeration in a request: an unknown value is refused with 422. */
export function closedEnum<const Values extends readonly string[]>(values: Values, options: TSchemaOptions = {}) {
  const schema = Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], ...options });
  return schema as typeof schema & { readonly type: 'string' };
}

/** Format of a provider slug that must be served by this installation; the error lists the available ones. */
export const servedProvider = 'served-provider';

/** A provider served by this installation. */
export function servedProviderEnum<const Slugs extends readonly string[]>(slugs: Slugs) {
  return closedEnum(slugs, { format: servedProvider });
}
