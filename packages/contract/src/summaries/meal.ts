import { Type, type Static } from 'typebox';
import { DateOnly, DateTime, nullable, optional, optionalText, Uuid } from '../fields/fields.ts';
import { ownership, provenance } from './common.ts';
import { Energy, Macros, Micros } from './meal-nutrients.ts';

const Food = Type.Object({ energy: optional(Energy), macros: optional(Macros), micros: optional(Micros) });

/** One meal with its foods. */
export const Meal = Type.Object(
  {
    ...ownership,
    priority_id: Type.Integer({ deprecated: true, description: 'Without meaning; 0.' }),
    source_id: Type.Integer({ deprecated: true, description: 'Numeric id of the provider.' }),
    provider_id: Type.String({ deprecated: true, description: 'Same as id.' }),
    timestamp: DateTime,
    calendar_date: DateOnly,
    name: Type.String({ description: 'For example Dinner.' }),
    energy: nullable(Energy, { description: 'Total of the meal.' }),
    macros: nullable(Macros),
    micros: nullable(Micros),
    data: Type.Optional(Type.Record(Type.String(), Food, { description: 'Food name to its own share.' })),
    source_app_id: optionalText('Same as source.app_id.'),
    source_device_id: optional(Uuid),
    ...provenance,
  },
  { title: 'Meal' },
);
export type Meal = Static<typeof Meal>;
