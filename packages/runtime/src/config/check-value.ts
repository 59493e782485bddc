import { Errors } from 'typebox/value';
import { describeSchema } from './describe-schema.ts';
import type { ConfigField } from './fields.ts';

/** What an invalid value must be instead; null for a valid one. Never contains the value, which may be a secret in the wrong variable. */
export function checkValue({ schema, unit }: ConfigField, value: unknown): string | null {
  const errors = Errors(schema, value);
  if (errors.length === 0) return null;
  // A refinement has its own message; those of other keywords are JSON Schema's, which operators should not have to read.
  const refined = errors.find(({ keyword }) => keyword === '~refine');
  const expected = refined?.message ?? describeSchema(schema);
  return unit === undefined ? expected : `${expected} (${unit})`;
}
