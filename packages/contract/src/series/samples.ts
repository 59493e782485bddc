import { Type, type TObject, type TSchema } from 'typebox';
import { DateTime, nullable, openEnum, ZoneOffset } from '../fields/fields.ts';
import type { ExtraField, TimeseriesResource } from '../resources/types.ts';

const NoId = Type.Optional(Type.Null({ deprecated: true, description: 'Always null.' }));

function typeSchema({ subKinds }: TimeseriesResource): TSchema {
  if (subKinds === null) return Type.Null({ description: 'This series has no sub-kinds.' });
  if (subKinds.presence === 'optional') return nullable(openEnum(subKinds.values));
  return subKinds.values === null ? Type.String({ description: 'Sub-kind of the reading.' }) : openEnum(subKinds.values);
}

function extraSchema({ values, isList, isRequired }: ExtraField): TSchema {
  const schema = nullable(isList ? Type.Array(openEnum(values)) : openEnum(values));
  return isRequired ? schema : Type.Optional(schema);
}

function valueFields({ valueForm, meaning }: TimeseriesResource): Record<string, TSchema> {
  switch (valueForm) {
    case 'pressure':
      return { systolic: Type.Number(), diastolic: Type.Number() };
    case 'text':
      return { value: Type.String({ description: meaning }) };
    case 'number':
      return { value: Type.Number({ description: meaning }) };
  }
}

/** Schema of one sample of a series on the wire. */
export function sampleSchema(row: TimeseriesResource): TObject {
  const bounds = {
    start: Type.String({ format: 'date-time', description: 'Inclusive.' }),
    end: Type.String({ format: 'date-time', description: 'Exclusive.' }),
  };
  const interval =
    row.shape === 'interval' ? bounds : row.showsKnownEnd ? { start: Type.Optional(bounds.start), end: Type.Optional(bounds.end) } : {};
  return Type.Object({
    id: NoId,
    timestamp: DateTime,
    ...interval,
    timezone_offset: ZoneOffset,
    type: typeSchema(row),
    unit: row.isUnitFixed ? Type.Literal(row.unit) : Type.String({ examples: [row.unit] }),
    ...valueFields(row),
    ...Object.fromEntries(row.extraFields.map((field) => [field.name, extraSchema(field)])),
  });
}
