import { isIP } from 'node:net';
import type { ConfigField, IntegerField } from './fields.ts';

export type ParsedValue = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly expected: string };

const valid = (value: unknown): ParsedValue => ({ ok: true, value });
const invalid = (expected: string): ParsedValue => ({ ok: false, expected });

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

function parseInteger(field: IntegerField, text: string): ParsedValue {
  const min = field.min ?? 0;
  const max = field.max ?? Number.MAX_SAFE_INTEGER;
  const value = Number(text);
  if (/^-?\d+$/.test(text) && value >= min && value <= max) return valid(value);
  const range = field.max === undefined ? `of at least ${min}` : `from ${min} to ${max}`;
  return invalid(`a whole number ${range}${field.unit === undefined ? '' : ` (${field.unit})`}`);
}

function parseUrl(schemes: readonly string[], text: string): ParsedValue {
  const scheme = URL.parse(text)?.protocol.slice(0, -1);
  return scheme !== undefined && schemes.includes(scheme)
    ? valid(text)
    : invalid(`a URL that starts with ${schemes.map((name) => `${name}://`).join(' or ')}`);
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/**
 * Parses a variable's text as the field's type. An invalid value gives what was expected, never the value: it may be a secret in the wrong
 * variable.
 */
export function parseValue(field: ConfigField, text: string): ParsedValue {
  switch (field.type) {
    case 'string':
      if (field.form && !field.form.has(text)) return invalid(field.form.text);
      return text.length >= (field.minLength ?? 1) ? valid(text) : invalid(`at least ${field.minLength} characters`);
    case 'integer':
      return parseInteger(field, text);
    case 'boolean': {
      const value = booleans.get(text.toLowerCase());
      return value === undefined ? invalid('true or false') : valid(value);
    }
    case 'enum':
      return field.values.includes(text) ? valid(text) : invalid(`one of ${field.values.join(', ')}`);
    case 'url':
      return parseUrl(field.schemes ?? ['http', 'https'], text);
    case 'list':
      return valid(Object.freeze(splitList(text)));
    case 'networks': {
      const items = splitList(text);
      return items.every(isNetwork) ? valid(Object.freeze(items)) : invalid('addresses or networks like 10.0.0.0/8, separated by commas');
    }
  }
}
