import type { TSchema } from 'typebox';

/** The schema's default, frozen like every configuration value; undefined without one. */
export function defaultOf(schema: TSchema): unknown {
  return 'default' in schema ? Object.freeze(schema.default) : undefined;
}
