import { Type, type Static } from 'typebox';
import { DateOnly, optional, optionalInteger, optionalNumber, optionalText } from '../fields/fields.ts';
import { ownership, provenance } from './common.ts';

const HeartRate = Type.Object({
  avg_bpm: optionalNumber('Beats per minute.'),
  min_bpm: optionalNumber('Beats per minute.'),
  max_bpm: optionalNumber('Beats per minute.'),
  resting_bpm: optionalNumber('Beats per minute.'),
  avg_walking_bpm: optionalNumber('Beats per minute.'),
});

/** One day's movement. */
export const Activity = Type.Object(
  {
    ...ownership,
    date: Type.String({ format: 'date-time', deprecated: true, description: 'The same day as UTC midnight.' }),
    calendar_date: DateOnly,
    calories_total: optionalNumber('kcal, basal rate included.'),
    calories_active: optionalNumber('kcal from movement.'),
    steps: optionalInteger('Count.'),
    daily_movement: optional(Type.Number({ deprecated: true, description: 'Metres of equivalent walking.' })),
    distance: optionalNumber('Metres.'),
    low: optionalNumber('Minutes at low intensity.'),
    medium: optionalNumber('Minutes at medium intensity.'),
    high: optionalNumber('Minutes at high intensity.'),
    floors_climbed: optionalInteger('Count.'),
    time_zone: optionalText('IANA zone id.'),
    timezone_offset: optionalInteger('Seconds east of UTC.'),
    heart_rate: optional(HeartRate),
    wheelchair_use: optional(Type.Literal(true), { description: 'True, or null if unknown.' }),
    wheelchair_push: optionalInteger('Count.'),
    ...provenance,
  },
  { title: 'Activity' },
);
export type Activity = Static<typeof Activity>;
