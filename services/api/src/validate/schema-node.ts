/** The part of JSON Schema that request schemas use, as plain data. */
export interface SchemaNode {
  /** With `null` in a list: the value may be null. */
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly SchemaNode[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  /** Blanks around the text are left out. */
  readonly 'x-blanks'?: 'ignored';
  /** The first day that is valid. */
  readonly formatMinimum?: string;
  /** No day is valid that has begun nowhere on earth. */
  readonly 'x-not-after'?: 'today';
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Of requests only: responses may have texts that were stored before there was a limit. */
  readonly 'x-length-max'?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: SchemaNode;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>;
  readonly default?: unknown;
  /** false: an unknown key is a failing field. */
  readonly additionalProperties?: boolean;
}

/** The origin of a value: text of a path or query is converted to numbers and other types, a body is not. */
export type RequestPart = 'path' | 'query' | 'header' | 'body';
