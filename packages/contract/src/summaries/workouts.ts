import { Type, type Static } from 'typebox';
import { DateTime, optional, optionalInteger, optionalNumber, optionalText } from '../fields/fields.ts';
import { ownership, provenance } from './common.ts';
import { Sport } from './sport.ts';

/** Two or three characters a point: a day with a point each second. */
const polyline = (description: string) => optional(Type.String({ 'x-length-max': 250_000 }), { description });

const WorkoutMap = Type.Object({
  polyline: polyline('Encoded polyline.'),
  summary_polyline: polyline('Encoded polyline of lower resolution.'),
});

/** One workout. */
export const Workout = Type.Object(
  {
    ...ownership,
    title: optionalText('Name given to the workout.'),
    timezone_offset: optionalInteger('Seconds east of UTC.'),
    average_hr: optionalInteger('Beats per minute.'),
    max_hr: optionalInteger('Beats per minute.'),
    distance: optionalNumber('Metres.'),
    calendar_date: Type.String({ format: 'date', description: 'Usually the local day on which it started.' }),
    time_start: DateTime,
    time_end: DateTime,
    calories: optionalNumber('kcal.'),
    sport: Sport,
    hr_zones: optional(Type.Array(Type.Integer()), {
      description: 'Six numbers: seconds below 50, 50-60, 60-70, 70-80, 80-90 and from 90 percent of the maximum heart rate.',
    }),
    moving_time: optionalInteger('Seconds.'),
    total_elevation_gain: optionalNumber('Metres.'),
    elev_high: optionalNumber('Metres.'),
    elev_low: optionalNumber('Metres.'),
    average_speed: optionalNumber('m/s.'),
    max_speed: optionalNumber('m/s.'),
    average_watts: optionalNumber('W.'),
    device_watts: optionalNumber('W.'),
    max_watts: optionalNumber('W.'),
    weighted_average_watts: optionalNumber('W.'),
    steps: optionalInteger('Count.'),
    map: optional(WorkoutMap),
    provider_id: Type.String({ description: 'Id of the workout at the provider.' }),
    ...provenance,
  },
  { title: 'Workout' },
);
export type Workout = Static<typeof Workout>;
