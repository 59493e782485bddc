import type { ValidationError } from '@pulsewire/contract';
import { isCleanText } from '@pulsewire/kernel';
import { readScalar } from './scalars.ts';
import type { RequestPart, SchemaNode } from './schema-node.ts';
import { withoutSecrets } from './secrets.ts';

type Loc = readonly (string | number)[];

/** The list of errors, and the origin of the value. */
export interface Reading {
  readonly part: RequestPart;
  readonly errors: ValidationError[];
}

/** Bounded, because a body may contain thousands of invalid items. */
export const errorsMax = 200;

const repeatedMax = 4096;
// Every missing field of an object would repeat the whole of it.
const large = new WeakMap<object, boolean>();

/** The refused value, or null when it is too large to be repeated in the response. */
function repeatable(input: unknown): unknown {
  if (typeof input === 'string') return input.length > repeatedMax ? null : input;
  if (typeof input !== 'object' || input === null) return input;
  const isLarge = large.get(input) ?? JSON.stringify(input).length > repeatedMax;
  large.set(input, isLarge);
  return isLarge ? null : input;
}

function report(reading: Reading, loc: Loc, input: unknown, error: Pick<ValidationError, 'type' | 'msg' | 'ctx'>): undefined {
  if (reading.errors.length < errorsMax)
    reading.errors.push({
      type: error.type,
      loc: [...loc],
      msg: error.msg,
      input: repeatable(input),
      ...(error.ctx && { ctx: error.ctx }),
    });
  return undefined;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const unknownReportedMax = 20;

// A misspelt name would otherwise be ignored silently, such as a filter that filters nothing.
function reportUnknown({ properties = {} }: SchemaNode, value: Record<string, unknown>, loc: Loc, reading: Reading): void {
  const unknown = Object.keys(value).filter((key) => !Object.hasOwn(properties, key));
  const msg = `Unknown field; known fields: ${Object.keys(properties).join(', ')}`;
  // The value of an unknown field may be a secret.
  for (const key of unknown.slice(0, unknownReportedMax))
    report(reading, [...loc, key.slice(0, 100)], null, { type: 'extra_forbidden', msg });
}

function readObject(node: SchemaNode, value: unknown, loc: Loc, reading: Reading): unknown {
  if (!isPlainObject(value))
    return report(reading, loc, withoutSecrets(node, value), { type: 'model_attributes_type', msg: 'Must be an object' });
  const result: Record<string, unknown> = {};
  for (const [key, schema] of Object.entries(node.properties ?? {})) {
    const given = Object.hasOwn(value, key) ? value[key] : undefined;
    if (given !== undefined) result[key] = readValue(schema, given, [...loc, key], reading);
    else if (schema.default !== undefined) result[key] = schema.default;
    else if (node.required?.includes(key))
      report(reading, [...loc, key], withoutSecrets(node, value), { type: 'missing', msg: 'Field required' });
  }
  if (node.additionalProperties === false) reportUnknown(node, value, loc, reading);
  return result;
}

function readRecord(node: SchemaNode, value: unknown, loc: Loc, reading: Reading): unknown {
  if (!isPlainObject(value)) return report(reading, loc, value, { type: 'dict_type', msg: 'Must be an object' });
  const broken = Object.keys(value).find((key) => !isCleanText(key));
  if (broken !== undefined)
    return report(reading, loc, null, { type: 'value_error', msg: 'Must not have a key with a NUL character or an unpaired surrogate' });
  const schema = Object.values(node.patternProperties ?? {})[0] ?? {};
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, readValue(schema, item, [...loc, key], reading)]));
}

function readList(node: SchemaNode, value: unknown, loc: Loc, reading: Reading): unknown {
  // Repeated query keys form a list; a single one is a list of one.
  const items = reading.part === 'query' && !Array.isArray(value) ? [value] : value;
  if (!Array.isArray(items)) return report(reading, loc, withoutSecrets(node, value), { type: 'list_type', msg: 'Must be a list' });
  const { minItems, maxItems } = node;
  if (minItems !== undefined && items.length < minItems)
    return report(reading, loc, withoutSecrets(node, value), {
      type: 'too_short',
      msg: `Must have at least ${minItems} items`,
      ctx: { min_length: minItems },
    });
  if (maxItems !== undefined && items.length > maxItems)
    return report(reading, loc, withoutSecrets(node, value), {
      type: 'too_long',
      msg: `Must have at most ${maxItems} items`,
      ctx: { max_length: maxItems },
    });
  return items.map((item, index) => readValue(node.items ?? {}, item, [...loc, index], reading));
}

const nullless = new WeakMap<SchemaNode, SchemaNode>();

// `type: [text, null]` and `enum: [.., null]` as one plain node; the caller handles null.
function withoutNull(node: SchemaNode): SchemaNode {
  const known = nullless.get(node);
  if (known) return known;
  const type = (node.type as readonly string[]).find((name) => name !== 'null');
  const plain = { ...node, ...(type !== undefined && { type }), ...(node.enum && { enum: node.enum.filter((item) => item !== null) }) };
  nullless.set(node, plain);
  return plain;
}

/** Whether a value has a node's type, even if it is invalid otherwise. */
function isOfKind({ type }: SchemaNode, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isPlainObject(value);
  return typeof value === (type === 'integer' ? 'number' : type);
}

/**
 * Reads a value by its schema: returns it in its final form, and adds every failing field to `reading.errors`, in field order. Once that list
 * is full, nothing more is read.
 */
export function readValue(node: SchemaNode, value: unknown, loc: Loc, reading: Reading): unknown {
  if (reading.errors.length >= errorsMax) return undefined;
  if (node.anyOf) {
    const branches = node.anyOf.filter((branch) => branch.type !== 'null');
    if (value === null && branches.length < node.anyOf.length) return null;
    // The intended branch has the most specific error.
    return readValue(branches.find((branch) => isOfKind(branch, value)) ?? branches[0] ?? {}, value, loc, reading);
  }
  if (Array.isArray(node.type))
    return value === null && node.type.includes('null') ? null : readValue(withoutNull(node), value, loc, reading);
  if (node.type === 'object') return node.patternProperties ? readRecord(node, value, loc, reading) : readObject(node, value, loc, reading);
  if (node.type === 'array') return readList(node, value, loc, reading);
  // Of a key that must not be repeated, the last one counts.
  const single = reading.part === 'query' && Array.isArray(value) ? value.at(-1) : value;
  const result = readScalar(node, single, reading.part);
  return 'error' in result ? report(reading, loc, withoutSecrets(node, single), result.error) : result.value;
}
