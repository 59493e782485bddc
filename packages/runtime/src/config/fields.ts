interface FieldBase {
  /** Name of the environment variable: `<AREA>_<WHAT>_<UNIT>`. */
  readonly env: string;
  /** One sentence for the operator; it appears in the READMEs and in `--help`. */
  readonly description: string;
  readonly unit?: string;
  /** The value is never shown, and may come from a file: `NAME_FILE=/run/secrets/name`. */
  readonly secret?: boolean;
  /** May be missing without a default; the value is then undefined. */
  readonly optional?: boolean;
  /** What tables show as the default, for values that are computed or generated at the first start. */
  readonly defaultText?: string;
}

export interface StringField extends FieldBase {
  readonly type: 'string';
  readonly default?: string;
  readonly minLength?: number;
  /** A format that the text must have; `text` describes it in error messages. */
  readonly form?: { readonly text: string; has(text: string): boolean };
}

export interface IntegerField extends FieldBase {
  readonly type: 'integer';
  readonly default?: number;
  readonly min?: number;
  readonly max?: number;
}

export interface BooleanField extends FieldBase {
  readonly type: 'boolean';
  readonly default?: boolean;
}

export interface EnumField extends FieldBase {
  readonly type: 'enum';
  readonly values: readonly [string, ...string[]];
  readonly default?: string;
}

export interface UrlField extends FieldBase {
  readonly type: 'url';
  /** Allowed schemes without the colon; http and https when not given. */
  readonly schemes?: readonly string[];
  readonly default?: string;
}

export interface ListField extends FieldBase {
  readonly type: 'list';
  readonly default?: readonly string[];
}

/** Addresses and CIDR networks, separated by commas. */
export interface NetworksField extends FieldBase {
  readonly type: 'networks';
  readonly default?: readonly string[];
}

export type ConfigField = StringField | IntegerField | BooleanField | EnumField | UrlField | ListField | NetworksField;

/** The settings of a process: by name in the code, how each is read from the environment. */
export type ConfigFields = Readonly<Record<string, ConfigField>>;

interface ValueTypes {
  string: string;
  integer: number;
  boolean: boolean;
  enum: string;
  url: string;
  list: readonly string[];
  networks: readonly string[];
}

type PresentValue<F extends ConfigField> = F extends EnumField ? F['values'][number] : ValueTypes[F['type']];

/** The settings as the code sees them: frozen, typed, nothing missing. */
export type ConfigOf<F extends ConfigFields> = {
  readonly [K in keyof F]: F[K] extends { readonly optional: true } ? PresentValue<F[K]> | undefined : PresentValue<F[K]>;
};

/** Keeps the exact type of each field, so that an enum's values and `optional` reach `ConfigOf`. */
export function defineConfig<const F extends ConfigFields>(fields: F): F {
  return fields;
}
