import { isUtf8 } from 'node:buffer';
import type { ValidationError } from '@pulsewire/contract';
import { AppError, jsonDepthMax, jsonFault, type JsonBounds } from '@pulsewire/kernel';
import type { RawRequest } from '../context/raw-request.ts';
import type { Route } from '../route/route.ts';
import { errorsMax, readValue, type Reading } from './read-value.ts';
import type { RequestPart, SchemaNode } from './schema-node.ts';

/** Of the failing fields of one response together, in characters of JSON; further ones are left out. */
const responseMax = 131_072;
const refusedValuesMax = 65_536;
/** Of a name in a path: names of records are the client's, and every field below one would repeat it. */
const nameMax = 100;

function bounded(errors: readonly ValidationError[]): readonly ValidationError[] {
  const shown: ValidationError[] = [];
  let [size, valuesLeft] = [0, refusedValuesMax];
  for (const error of errors) {
    valuesLeft -= (JSON.stringify(error.input) ?? '').length;
    const loc = error.loc.map((part) => (typeof part === 'string' ? part.slice(0, nameMax) : part));
    const one = { ...error, loc, ...(valuesLeft < 0 && { input: null }) };
    size += JSON.stringify(one).length;
    if (size > responseMax && shown.length > 0) break;
    shown.push(one);
  }
  return shown;
}

/** Carries the list of failing fields to the error mapper. */
export function validationError(errors: readonly ValidationError[]): AppError {
  const details = { errors: bounded(errors.slice(0, errorsMax)) };
  return new AppError({ code: 'request_invalid', kind: 'invalid', message: 'Some fields are invalid', details });
}

/** One failing field that was found by a rule over several fields or by a database lookup. */
export function fieldError(loc: readonly (string | number)[], msg: string, input: unknown, type = 'value_error'): ValidationError {
  return { type, loc: [...loc], msg, input };
}

/** The error for a body that would be decoded to a different text than was sent. */
export const notUtf8 = 'Must be UTF-8';

function readPart(part: RequestPart, schema: SchemaNode | undefined, value: unknown, errors: ValidationError[]): unknown {
  const reading: Reading = { part, errors };
  return schema === undefined ? {} : readValue(schema, value, [part], reading);
}

/** Whether every escape of the query is valid; the framework keeps invalid ones unchanged and would treat them as literal text. */
function isQueryReadable(queryText: string): boolean {
  if (!queryText.includes('%')) return true;
  try {
    return decodeURIComponent(queryText) !== undefined;
  } catch {
    return false;
  }
}

/** Of bodies that are parsed as a whole: a megabyte of `{},{},…` would occupy the process for a tenth of a second. Ten times a full body. */
const bodyJsonBounds: JsonBounds = { depthMax: jsonDepthMax, valuesMax: 100_000, itemsMax: 20_000, keysMax: 1000 };
const bodyFaults = {
  too_deep: `Must not be nested deeper than ${jsonDepthMax} levels`,
  too_many_values: 'Must not have more than 100,000 values, 20,000 items in a list, or 1,000 keys in an object',
} as const;

function parseJson(body: Buffer): { readonly value: unknown } | { readonly error: string; readonly position: number } {
  // Deeper values can be parsed, but an error that repeats one could not be serialised.
  const fault = jsonFault(body, bodyJsonBounds);
  if (fault !== null) return { error: bodyFaults[fault], position: 0 };
  try {
    return { value: JSON.parse(body.toString('utf8')) as unknown };
  } catch (error) {
    const position = /position (\d+)/.exec((error as Error).message)?.[1];
    return { error: 'Malformed JSON', position: Number(position ?? 0) };
  }
}

/** Whether a body of this content type is read as JSON. */
export function isJson(contentType: string | string[] | undefined): boolean {
  return typeof contentType === 'string' && /^application\/(?:[\w.-]+\+)?json\b/i.test(contentType);
}

function readBody(schema: SchemaNode | undefined, raw: RawRequest, errors: ValidationError[]): unknown {
  if (schema === undefined) return {};
  if (raw.body.length === 0) {
    // A body without required fields may be omitted.
    const before = errors.length;
    const empty = readPart('body', schema, {}, errors);
    if (errors.length === before) return empty;
    errors.length = before;
    errors.push({ type: 'missing', loc: ['body'], msg: 'Field required', input: null });
    return undefined;
  }
  if (!isUtf8(raw.body)) {
    errors.push({ type: 'value_error', loc: ['body'], msg: notUtf8, input: null });
    return undefined;
  }
  if (!isJson(raw.headers['content-type'])) return readPart('body', schema, raw.body.toString('utf8'), errors);
  const parsed = parseJson(raw.body);
  if ('value' in parsed) return readPart('body', schema, parsed.value, errors);
  errors.push({ type: 'json_invalid', loc: ['body', parsed.position], msg: parsed.error, input: {}, ctx: { error: parsed.error } });
  return undefined;
}

/**
 * Checks path, query, header and body together. Throws AppError `request_invalid` with every failing field of all parts in
 * `details.errors`, in this order and in field order. Unknown keys are dropped from the result.
 */
export function validateRequest(route: Route, params: unknown, raw: RawRequest): Record<string, unknown> {
  const errors: ValidationError[] = [];
  if (route.query && !isQueryReadable(raw.queryText)) throw validationError([fieldError(['query'], notUtf8, null)]);
  const input = {
    params: readPart('path', route.params, params, errors),
    query: readPart('query', route.query, raw.query, errors),
    headers: readPart('header', route.headers, raw.headers, errors),
    body: route.streamsBody ? undefined : readBody(route.body, raw, errors),
    raw,
  };
  if (errors.length > 0) throw validationError(errors);
  return input;
}
