import { markdownItem } from '@pulsewire/kernel';
import { Type } from 'typebox';
import { redactText } from '../log/redact.ts';
import { defaultOf } from './default-of.ts';
import type { ConfigField, ConfigFields, ConfigOf } from './fields.ts';

function defaultText(field: ConfigField): string {
  if (field.defaultText !== undefined) return field.defaultText;
  const fallback = defaultOf(field.schema);
  if (fallback === undefined) return Type.IsOptional(field.schema) ? 'none' : '(required)';
  const value = Array.isArray(fallback) ? fallback.join(',') : `${fallback as string | number | boolean}`;
  return value === '' ? 'none' : `\`${value}\``;
}

function meaning(field: ConfigField): string {
  const notes: string[] = [];
  if (Type.IsEnum(field.schema)) notes.push(field.schema.enum.join(' or '));
  if (field.unit !== undefined) notes.push(field.unit);
  if (field.secret === true) notes.push('secret; also as a file');
  return notes.length === 0 ? field.description : `${field.description} (${notes.join('; ')})`;
}

/** The settings of the process for its first log line: secrets as `set` or `unset`, credentials in URLs masked. */
export function summarizeConfig<F extends ConfigFields>(fields: F, config: ConfigOf<F>): Record<string, unknown> {
  const summary: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(fields)) {
    const value = config[key];
    if (field.secret === true) summary[field.env] = value === undefined ? 'unset' : 'set';
    else if (value !== undefined) summary[field.env] = typeof value === 'string' ? redactText(value) : value;
  }
  return summary;
}

/** A Markdown list of the settings for operators, computed from the same fields that the process reads. */
export function configList(fields: ConfigFields): string {
  const items = Object.values(fields).map((field) => markdownItem(`\`${field.env}\`, default ${defaultText(field)}: ${meaning(field)}`));
  return items.join('\n');
}

/** Settings under a heading, for `--help`. */
export type ConfigGroup = readonly [title: string, fields: ConfigFields];

/** The same for a terminal: one variable per line, in groups. */
export function configHelp(groups: readonly ConfigGroup[]): string {
  const width = Math.max(...groups.flatMap(([, fields]) => Object.values(fields).map(({ env }) => env.length)));
  const line = (field: ConfigField) => `  ${field.env.padEnd(width)}  ${meaning(field)} [${defaultText(field).replaceAll('`', '')}]`;
  return groups.map(([title, fields]) => [`${title}:`, ...Object.values(fields).map(line)].join('\n')).join('\n\n');
}
