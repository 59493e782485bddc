import { Type, type Static } from 'typebox';
import { DateOnly, openEnum, optional, optionalInteger } from '../fields/fields.ts';
import { ownership, provenance } from './common.ts';

/** A provider's profile of the person. `date`: the day of the last change. */
export const Profile = Type.Object(
  {
    ...ownership,
    date: DateOnly,
    height: optionalInteger('cm.'),
    birth_date: optional(DateOnly),
    wheelchair_use: optional(Type.Literal(true), { description: 'True, or null if unknown.' }),
    gender: optional(openEnum(['female', 'male', 'other', 'unknown'])),
    sex: optional(openEnum(['female', 'male', 'other'])),
    ...provenance,
  },
  { title: 'Profile' },
);
export type Profile = Static<typeof Profile>;
