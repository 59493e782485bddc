import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { AppError, errorCode, isAppError } from '@pulsewire/kernel';
import { Type, type TSchema, type TNumberOptions, type TStringOptions } from 'typebox';
import { Errors } from 'typebox/value';
import { defaultOf } from './default-of.ts';
import type { ConfigField, ConfigFields, ConfigOf } from './fields.ts';
import { formatText } from './formats.ts';
import { misnamed, namesOf, type Environment } from './misnamed.ts';

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
function decodeText(schema: TSchema, text: string): unknown {
  if (Type.IsInteger(schema)) return /^-?\d+$/.test(text) ? Number(text) : text;
  if (Type.IsBoolean(schema)) return booleans.get(text.toLowerCase()) ?? text;
  if (!Type.IsArray(schema)) return text;
  const items = text.split(',').flatMap((item) => item.trim() || []);
  // A list of commas names nothing: something is missing between them.
  return items.length === 0 && text !== '' ? text : Object.freeze(items);
}

function describeInteger({ minimum, maximum }: TNumberOptions): string {
  return `a whole number ${maximum === undefined ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`}`;
}

function describeString({ format, minLength }: TStringOptions): string {
  if (format !== undefined) return formatText(format);
  return minLength === undefined ? 'text' : `at least ${minLength} characters`;
}

/** Describes what a schema accepts, to complete "NAME must be …". */
function describeSchema(schema: TSchema): string {
  if (Type.IsInteger(schema)) return describeInteger({ ...schema });
  if (Type.IsBoolean(schema)) return 'true or false';
  if (Type.IsEnum(schema)) return `one of ${schema.enum.join(', ')}`;
  if (Type.IsUnion(schema)) return `one of ${schema.anyOf.flatMap((one) => (Type.IsLiteral(one) ? [one.const] : [])).join(', ')}`;
  if (Type.IsArray(schema)) {
    const items = describeSchema(schema.items);
    return items === 'text' ? 'items separated by commas' : items;
  }
  return Type.IsString(schema) ? describeString({ ...schema }) : 'another value';
}

/** What an invalid value must be instead; null for a valid one. Never contains the value, which may be a secret in the wrong variable. */
function checkValue({ schema, unit }: ConfigField, value: unknown): string | null {
  const errors = Errors(schema, value);
  if (errors.length === 0) return null;
  // A refinement has its own message; those of other keywords are JSON Schema's, which operators should not have to read.
  const refined = errors.find(({ keyword }) => keyword === '~refine');
  const expected = refined?.message ?? describeSchema(schema);
  return unit === undefined ? expected : `${expected} (${unit})`;
}

/** EX_CONFIG of sysexits.h, by which supervisors can distinguish a wrong setting from a crash and need not restart. */
export const configExitCode = 78;

interface Source {
  readonly text: string | undefined;
  readonly problem?: string;
}

/** What nobody sees in a file or a shell: control characters, and characters such as a byte order mark or a zero-width space. */
const invisible = /[\p{Cc}\p{Cf}]/u;

/** Why a text is not what it looks like; null when it is. The items of a list may be on lines of their own. */
function problemOf(text: string): string | null {
  if (text.trim() === '') return 'is blank: set it, or remove it';
  return invisible.test(text.trimEnd().replaceAll(/,\s+/g, ','))
    ? 'contains an invisible character, such as a line break, a byte order mark or a zero-width space: remove it'
    : null;
}

function readSecretFile(env: string, fileName: string): Source {
  let bytes: Buffer;
  try {
    bytes = readFileSync(fileName);
  } catch (error) {
    // Without its name, which may be the secret itself.
    return { text: undefined, problem: `${env}_FILE cannot be read (${errorCode(error)})` };
  }
  if (!isUtf8(bytes)) return { text: undefined, problem: `${env}_FILE: ${fileName} is not UTF-8; save it as plain text` };
  const text = bytes.toString('utf8').trimEnd();
  if (text === '') return { text: undefined, problem: `${env}_FILE is empty` };
  const problem = problemOf(text);
  return problem === null ? { text } : { text: undefined, problem: `${env}_FILE: ${fileName} ${problem}` };
}

function readSource(field: ConfigField, env: Environment): Source {
  // Compose files and charts pass an unset variable as an empty string.
  const direct = env[field.env] === '' ? undefined : env[field.env];
  const fileName = field.secret === true ? env[`${field.env}_FILE`] : undefined;
  if (fileName !== undefined && fileName !== '')
    return direct === undefined
      ? readSecretFile(field.env, fileName)
      : { text: undefined, problem: `${field.env} and ${field.env}_FILE are both set: keep one` };
  const problem = direct === undefined ? null : problemOf(direct);
  return problem === null ? { text: direct } : { text: undefined, problem: `${field.env} ${problem}` };
}

/** Variables of other programs whose names begin like settings; read before anything else is checked. */
export const foreignVariables: ConfigField = {
  env: 'FOREIGN_VARIABLES',
  schema: Type.Array(Type.String(), { default: [] }),
  description:
    'Names of variables of other programs that begin like settings, separated by commas; a * at the end stands for any text. Others that begin so are refused.',
};

/**
 * Reads the settings from the environment and freezes them. This file has the only readers of `process.env`.
 * Throws AppError `config_invalid` with every problem at once in `details.problems`; no problem contains a value.
 */
export function loadConfig<F extends ConfigFields>(fields: F, env: Environment = process.env): ConfigOf<F> {
  const problems: string[] = [];
  const config: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(fields)) {
    const source = readSource(field, env);
    if (source.problem !== undefined) problems.push(source.problem);
    else if (source.text === undefined) {
      config[key] = defaultOf(field.schema);
      if (config[key] === undefined && !Type.IsOptional(field.schema)) problems.push(`${field.env} is missing: ${field.description}`);
    } else {
      const value = decodeText(field.schema, source.text);
      const expected = checkValue(field, value);
      if (expected === null) config[key] = value;
      else problems.push(`${field.env} must be ${expected}`);
    }
  }
  const foreign = [decodeText(foreignVariables.schema, env[foreignVariables.env] ?? '')].flat() as readonly string[];
  // A shorter beginning would excuse every variable.
  const short = foreign.filter((item) => !/^\w{3,}\*?$/.test(item));
  if (short.length > 0)
    problems.push(`${foreignVariables.env} must name variables, or at least three characters before a *: ${short.join(', ')}`);
  problems.push(...misnamed(fields, env, foreign));
  if (problems.length > 0) {
    throw new AppError({ code: 'config_invalid', kind: 'invalid', message: 'Invalid configuration', details: { problems } });
  }
  return Object.freeze(config) as ConfigOf<F>;
}

/**
 * The settings of a part of a process that has read the environment of all parts before: what the environment has for them, except the
 * variables in `given`, whose values the process determines.
 */
export function loadPart<F extends ConfigFields>(fields: F, given: Environment, env: Environment = process.env): ConfigOf<F> {
  const own = namesOf(fields).filter((name) => !Object.hasOwn(given, name.replace(/_FILE$/, '')));
  return loadConfig(fields, { ...Object.fromEntries(own.map((name) => [name, env[name]])), ...given });
}

/** Runs every check of a configuration. Throws one AppError `config_invalid` with the problems of all, each once. */
export function checkAll(...checks: readonly (() => unknown)[]): void {
  const problems = new Set<string>();
  for (const check of checks) {
    try {
      check();
    } catch (error) {
      if (!isAppError(error) || error.code !== 'config_invalid') throw error;
      const { problems: found = [error.message] } = error.details as { problems?: readonly string[] };
      for (const problem of found) problems.add(problem);
    }
  }
  if (problems.size === 0) return;
  const details = { problems: [...problems] };
  throw new AppError({ code: 'config_invalid', kind: 'invalid', message: details.problems.join('; '), details });
}
