import type { Static, TOptional, TSchema } from 'typebox';

/**
 * A setting: the environment variable, and the schema of its value with the default. A schema wrapped in `Type.Optional`
 * may be missing without a default; the value is then undefined. `formats.ts` defines the formats of strings.
 */
export interface ConfigField {
  /** Name of the environment variable: `<AREA>_<WHAT>_<UNIT>`. */
  readonly env: string;
  readonly schema: TSchema;
  /** One sentence for the operator; it appears in deploy/CONFIGURATION.md and in `--help`. */
  readonly description: string;
  readonly unit?: string;
  /** The value is never shown, and may be read from a file: `NAME_FILE=/run/secrets/name`. */
  readonly secret?: boolean;
  /** Names that this setting had in earlier versions, which are refused with the present one. */
  readonly formerly?: readonly string[];
  /** What tables show as the default, for values that are computed or generated at the first start. */
  readonly defaultText?: string;
}

/** The settings of a process: for each name in the code, how it is read from the environment. */
export type ConfigFields = Readonly<Record<string, ConfigField>>;

type PresentValue<S extends TSchema> = Static<S> extends readonly (infer Item)[] ? readonly Item[] : Static<S>;

/** The settings as the code sees them: frozen, typed, complete. */
export type ConfigOf<F extends ConfigFields> = {
  readonly [K in keyof F]: F[K]['schema'] extends TOptional ? PresentValue<F[K]['schema']> | undefined : PresentValue<F[K]['schema']>;
};

/** Preserves the exact type of each schema for `ConfigOf`. */
export function defineConfig<const F extends ConfigFields>(fields: F): F {
  return fields;
}
