import { Type, type TSchema } from 'typebox';

const booleans = new Map([
  ['true', true],
  ['on', true],
  ['yes', true],
  ['1', true],
  ['false', false],
  ['off', false],
  ['no', false],
  ['0', false],
]);

/**
 * Converts a variable's text to a value for the schema to check; text that cannot be converted is returned unchanged. TypeBox's own
 * conversion supports neither `on` nor lists, and rounds 1.5 to a whole number.
 */
export function decodeText(schema: TSchema, text: string): unknown {
  if (Type.IsInteger(schema)) return /^-?\d+$/.test(text) ? Number(text) : text;
  if (Type.IsBoolean(schema)) return booleans.get(text.toLowerCase()) ?? text;
  if (!Type.IsArray(schema)) return text;
  const items = text.split(',').map((item) => item.trim());
  return Object.freeze(items.filter((item) => item !== ''));
}
