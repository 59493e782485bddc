import { Type, type TNumberOptions, type TSchema, type TStringOptions } from 'typebox';
import { formatText } from './formats.ts';

function describeInteger({ minimum, maximum }: TNumberOptions): string {
  return `a whole number ${maximum === undefined ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`}`;
}

function describeString({ format, minLength }: TStringOptions): string {
  return format === undefined ? `at least ${minLength} characters` : formatText(format);
}

/** Describes what a schema accepts, to complete "NAME must be …". */
export function describeSchema(schema: TSchema): string {
  if (Type.IsInteger(schema)) return describeInteger({ ...schema });
  if (Type.IsBoolean(schema)) return 'true or false';
  if (Type.IsEnum(schema)) return `one of ${schema.enum.join(', ')}`;
  if (Type.IsArray(schema)) return describeSchema(schema.items);
  return Type.IsString(schema) ? describeString({ ...schema }) : 'another value';
}
