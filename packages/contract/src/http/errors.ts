import { Type, type Static } from 'typebox';
import { openEnum } from '../fields/fields.ts';

/** Values of `ValidationError.type`. */
export const validationErrorTypes = [
  'missing',
  'string_type',
  'string_too_short',
  'string_too_long',
  'string_pattern_mismatch',
  'uuid_parsing',
  'int_type',
  'int_parsing',
  'float_parsing',
  'bool_parsing',
  'enum',
  'literal_error',
  'date_type',
  'date_from_datetime_parsing',
  'date_from_datetime_inexact',
  'datetime_from_date_parsing',
  'greater_than_equal',
  'less_than_equal',
  'too_short',
  'too_long',
  'list_type',
  'dict_type',
  'model_attributes_type',
  'json_invalid',
  'value_error',
] as const;
export type ValidationErrorType = (typeof validationErrorTypes)[number];

/** One failing field. */
export const ValidationError = Type.Object(
  {
    loc: Type.Array(Type.Union([Type.String(), Type.Integer()]), {
      description: 'Starts with path, query, header or body; then keys and list indexes.',
    }),
    msg: Type.String({ description: 'Human-readable; do not parse.' }),
    type: openEnum(validationErrorTypes),
    input: Type.Optional(Type.Unknown({ description: 'The offending value; for missing, the whole parent.' })),
    ctx: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), { description: 'The limits, for example {"min_length": 1}.' }),
    ),
  },
  { title: 'ValidationError' },
);
export type ValidationError = Static<typeof ValidationError>;

/** 422: all failing fields together, in field order. */
export const ValidationErrorBody = Type.Object({ detail: Type.Array(ValidationError) }, { title: 'ValidationErrorBody' });
export type ValidationErrorBody = Static<typeof ValidationErrorBody>;

/** Most other errors, and the response to an update of a user. */
export const DetailBody = Type.Object({ detail: Type.String() }, { title: 'DetailBody' });
export type DetailBody = Static<typeof DetailBody>;

/** A few coded errors: the quota of a sandbox, link tokens outside the link result. */
export const CodedErrorBody = Type.Object(
  { detail: Type.Object({ error_type: Type.String(), error_message: Type.String() }) },
  { title: 'CodedErrorBody' },
);
export type CodedErrorBody = Static<typeof CodedErrorBody>;

/** Response of an operation that only confirms its success. */
export const SuccessBody = Type.Object({ success: Type.Boolean() }, { title: 'SuccessBody' });
export type SuccessBody = Static<typeof SuccessBody>;
