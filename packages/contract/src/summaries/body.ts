import { Type, type Static } from 'typebox';
import { DateOnly, optionalNumber } from '../fields/fields.ts';
import { ownership, provenance } from './common.ts';

/** Body measurements of one weighing. */
export const Body = Type.Object(
  {
    ...ownership,
    date: Type.String({ format: 'date-time', deprecated: true, description: 'The same day as UTC midnight.' }),
    calendar_date: DateOnly,
    weight: optionalNumber('kg.'),
    fat: optionalNumber('Percent of body mass.'),
    water_percentage: optionalNumber('Percent.'),
    muscle_mass_percentage: optionalNumber('Percent.'),
    visceral_fat_index: optionalNumber('Scalar.'),
    bone_mass_percentage: optionalNumber('Percent.'),
    body_mass_index: optionalNumber('kg/m².'),
    lean_body_mass_kilogram: optionalNumber('kg.'),
    waist_circumference_centimeter: optionalNumber('cm.'),
    ...provenance,
  },
  { title: 'Body' },
);
export type Body = Static<typeof Body>;
