import { readFileSync } from 'node:fs';
import { AppError, errorCode } from '@pulsewire/kernel';
import { Type } from 'typebox';
import { checkValue } from './check-value.ts';
import { decodeText } from './decode-text.ts';
import { defaultOf } from './default-of.ts';
import type { ConfigField, ConfigFields, ConfigOf } from './fields.ts';
import { findTypos } from './find-typos.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

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

function knownNames(fields: ConfigFields): Set<string> {
  const names = new Set<string>();
  for (const field of Object.values(fields)) {
    names.add(field.env);
    if (field.secret === true) names.add(`${field.env}_FILE`);
  }
  return names;
}

/**
 * Reads the settings from the environment and freezes them. This is the only reader of `process.env`.
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
  for (const { name, meant } of findTypos(knownNames(fields), Object.keys(env))) {
    problems.push(`${name} is not a setting; did you mean ${meant}?`);
  }
  if (problems.length > 0) {
    throw new AppError({ code: 'config_invalid', kind: 'invalid', message: 'Invalid configuration', details: { problems } });
  }
  return Object.freeze(config) as ConfigOf<F>;
}
