import { hourMs, utcDay } from '@pulsewire/kernel';
import { servedProvider, type ValidationError } from '@pulsewire/contract';
import { formats } from './formats.ts';
import type { RequestPart, SchemaNode } from './schema-node.ts';

/** A valid value in its final form, or its error (without `loc` and `input`). */
export type ScalarResult = { readonly value: unknown } | { readonly error: Pick<ValidationError, 'type' | 'msg' | 'ctx'> };

const fail = (type: string, msg: string, ctx?: ValidationError['ctx']): ScalarResult => ({ error: { type, msg, ...(ctx && { ctx }) } });

/** `'a', 'b' or 'c'`. */
function listed(values: readonly unknown[], word = 'or'): string {
  const quoted = values.map((value) => `'${String(value)}'`);
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} ${word} ${quoted.at(-1)}`;
}

/** Longest slug that an error message repeats. */
const slugLengthMax = 64;

// A known provider is not a client error: this installation has no connector for it.
function enumText({ enum: values = [], format }: SchemaNode, value: unknown): string {
  if (format !== servedProvider || typeof value !== 'string' || value.length > slugLengthMax) return `Must be ${listed(values)}`;
  return `This installation does not serve '${value}' here; it serves ${listed(values, 'and')}`;
}

const pairs = /[\uD800-\uDBFF][\uDC00-\uDFFF]/g;

/** JSON Schema counts characters, some of which are two UTF-16 units. */
function isShorter(text: string, length: number): boolean {
  if (text.length < length) return true;
  // Two units are one character at most.
  return text.length < 2 * length && text.replaceAll(pairs, ' ').length < length;
}

/** Formats that ignore surrounding blanks. */
const trimmedFormats: ReadonlySet<string> = new Set(['trimmed', 'email', 'phone']);

/** The zone that is furthest ahead begins each day fourteen hours before UTC. */
const furthestAheadMs = 14 * hourMs;

function inDays(node: SchemaNode, value: string): ScalarResult {
  const { formatMinimum: first, 'x-not-after': notAfter } = node;
  if (first !== undefined && value < first) return fail('greater_than_equal', `Must not be before ${first}`, { ge: first });
  if (notAfter === 'today' && value > utcDay(new Date(Date.now() + furthestAheadMs))) return fail('date_past', 'Must not be in the future');
  return { value };
}

/** Characters of a text of a body whose schema has no bound of its own: lists would otherwise return what nobody can read. */
export const textMax = 4000;

function readString(node: SchemaNode, given: unknown, part: RequestPart): ScalarResult {
  const isTrimmed = node['x-blanks'] === 'ignored' || trimmedFormats.has(node.format ?? '');
  const value = typeof given === 'string' && isTrimmed ? given.trim() : given;
  if (typeof value !== 'string')
    return node.format === 'date' ? fail('date_type', 'Must be a day, YYYY-MM-DD') : fail('string_type', 'Must be a string');
  // Postgres cannot store it, and no name or id needs it.
  if (value.includes('\0')) return fail('value_error', 'Must not contain a NUL character');
  // It would be stored as U+FFFD, so that different texts would become equal.
  if (!value.isWellFormed()) return fail('value_error', 'Must not contain an unpaired surrogate');
  if (node.minLength !== undefined && isShorter(value, node.minLength))
    return fail('string_too_short', `Must have at least ${node.minLength} characters`, { min_length: node.minLength });
  // The rest of a request is bounded as a whole.
  const lengthMax = node.maxLength ?? node['x-length-max'] ?? (part === 'body' ? textMax : Infinity);
  if (!isShorter(value, lengthMax + 1))
    return fail('string_too_long', `Must have at most ${lengthMax} characters`, { max_length: lengthMax });
  if (node.pattern !== undefined && !new RegExp(node.pattern, 'u').test(value))
    return fail('string_pattern_mismatch', 'Must match the pattern', { pattern: node.pattern });
  const result = node.format === undefined ? undefined : formats[node.format]?.(value);
  if (result === undefined) return { value };
  return 'value' in result ? inDays(node, result.value) : fail(result.type, result.msg);
}

function inRange(node: SchemaNode, value: number): ScalarResult {
  if (node.minimum !== undefined && value < node.minimum)
    return fail('greater_than_equal', `Must be at least ${node.minimum}`, { ge: node.minimum });
  if (node.maximum !== undefined && value > node.maximum)
    return fail('less_than_equal', `Must be at most ${node.maximum}`, { le: node.maximum });
  return { value };
}

function readNumber(node: SchemaNode, value: unknown, part: RequestPart): ScalarResult {
  const isText = part !== 'body';
  if (node.type === 'integer') {
    const number = isText && typeof value === 'string' && /^[+-]?\d{1,15}$/.test(value) ? Number(value) : value;
    if (Number.isSafeInteger(number)) return inRange(node, number as number);
    return isText ? fail('int_parsing', 'Must be a whole number') : fail('int_type', 'Must be a whole number');
  }
  const number = isText && typeof value === 'string' && /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? inRange(node, number) : fail('float_parsing', 'Must be a number');
}

function readBoolean(value: unknown, part: RequestPart): ScalarResult {
  if (typeof value === 'boolean') return { value };
  if (part !== 'body' && (value === 'true' || value === 'false')) return { value: value === 'true' };
  return fail('bool_parsing', 'Must be true or false');
}

/** Validates everything except lists and objects. */
export function readScalar(node: SchemaNode, value: unknown, part: RequestPart): ScalarResult {
  if (node.const !== undefined)
    return value === node.const ? { value } : fail('literal_error', `Must be ${listed([node.const])}`, { expected: listed([node.const]) });
  if (node.enum !== undefined)
    return node.enum.includes(value) ? { value } : fail('enum', enumText(node, value), { expected: listed(node.enum) });
  if (node.type === 'string') return readString(node, value, part);
  if (node.type === 'integer' || node.type === 'number') return readNumber(node, value, part);
  if (node.type === 'boolean') return readBoolean(value, part);
  if (node.type === 'null') return value === null ? { value } : fail('value_error', 'Must be null');
  return { value };
}
