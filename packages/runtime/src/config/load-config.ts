import { readFileSync } from 'node:fs';
import { AppError, errorCode } from '@pulsewire/kernel';
import { Type } from 'typebox';
import { checkValue } from './check-value.ts';
import { decodeText } from './decode-text.ts';
import { defaultOf } from './default-of.ts';
import type { ConfigField, ConfigFields, ConfigOf } from './fields.ts';
import { misnamed, namesOf, type Environment } from './misnamed.ts';

/** EX_CONFIG of sysexits.h, by which supervisors can distinguish a wrong setting from a crash and need not restart. */
export const configExitCode = 78;

interface Source {
  readonly text: string | undefined;
  readonly problem?: string;
}

function readSource(field: ConfigField, env: Environment): Source {
  // Compose files and charts pass an unset variable as an empty string.
  const direct = env[field.env] === '' ? undefined : env[field.env];
  const fileName = field.secret === true ? env[`${field.env}_FILE`] : undefined;
  if (fileName === undefined || fileName === '') return { text: direct };
  if (direct !== undefined) return { text: undefined, problem: `${field.env} and ${field.env}_FILE are both set: keep one` };
  try {
    const text = readFileSync(fileName, 'utf8').trimEnd();
    return text === '' ? { text: undefined, problem: `${field.env}_FILE is empty` } : { text };
  } catch (error) {
    return { text: undefined, problem: `${field.env}_FILE cannot be read (${errorCode(error)})` };
  }
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
  const foreign = decodeText(foreignVariables.schema, env[foreignVariables.env] ?? '') as readonly string[];
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
