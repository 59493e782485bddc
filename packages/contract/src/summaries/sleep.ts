import { Type, type Static } from 'typebox';
import { DateTime, openEnum, optional, optionalInteger, optionalNumber } from '../fields/fields.ts';
import { ownership, provenance } from './common.ts';

/** Kinds of a sleep. */
export const sleepTypes = ['long_sleep', 'short_sleep', 'acknowledged_nap', 'unknown'] as const;

/** One sleep. */
export const Sleep = Type.Object(
  {
    ...ownership,
    date: Type.String({ format: 'date-time', deprecated: true, description: 'The same day as UTC midnight.' }),
    calendar_date: Type.String({ format: 'date', description: 'Usually the local day on which the sleep ended.' }),
    bedtime_start: DateTime,
    bedtime_stop: DateTime,
    type: openEnum(sleepTypes, 'long_sleep from 3 hours on; acknowledged_nap is confirmed by the person; unknown is still being recorded.'),
    timezone_offset: optionalInteger('Seconds east of UTC.'),
    duration: Type.Integer({ description: 'Seconds from bedtime_start to bedtime_stop.' }),
    total: Type.Integer({ description: 'Seconds asleep: light, REM and deep.' }),
    awake: Type.Integer({ description: 'Seconds.' }),
    light: Type.Integer({ description: 'Seconds.' }),
    rem: Type.Integer({ description: 'Seconds.' }),
    deep: Type.Integer({ description: 'Seconds.' }),
    score: optionalInteger('1 to 100.'),
    recovery_readiness_score: optionalInteger('0 to 100.'),
    hr_lowest: optionalInteger('Beats per minute.'),
    hr_average: optionalInteger('Beats per minute.'),
    hr_resting: optionalInteger('Beats per minute.'),
    efficiency: optionalNumber('Percent of the time in bed asleep.'),
    latency: optionalInteger('Seconds to the first lasting sleep.'),
    temperature_delta: optionalNumber('°C from the long-term mean.'),
    skin_temperature: optionalNumber('°C.'),
    hr_dip: optionalNumber('Percent by which the heart rate falls asleep.'),
    state: optional(openEnum(['tentative', 'confirmed'], 'Tentative figures may still change.')),
    average_hrv: optionalNumber('ms, RMSSD.'),
    respiratory_rate: optionalNumber('Breaths per minute.'),
    sleep_stream: Type.Optional(Type.Null({ deprecated: true, description: 'Always null.' })),
    ...provenance,
  },
  { title: 'Sleep' },
);
export type Sleep = Static<typeof Sleep>;
