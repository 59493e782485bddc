import { Type, type Static } from 'typebox';
import { DateTime, optionalText } from '../fields/fields.ts';
import { flatSourceFields } from '../fields/source-context.ts';
import { ownership, provenance } from './common.ts';

/** Codes of a sleep stage, the same in the old hypnogram. */
export const sleepStages = { missing: -1, deep: 1, light: 2, rem: 3, awake: 4, manual: 5 } as const;

const SleepStage = Type.Integer({ description: '-1 unknown, 1 deep, 2 light, 3 REM, 4 awake, 5 classified by hand. More may come.' });

/** The stages of one sleep as parallel arrays of equal length. */
export const SleepCycle = Type.Object(
  {
    ...ownership,
    sleep_id: Type.String({ format: 'uuid', description: 'The sleep summary it belongs to.' }),
    session_start: DateTime,
    session_end: DateTime,
    stage_start_offset_second: Type.Array(Type.Integer(), { description: 'Seconds from session_start.' }),
    stage_end_offset_second: Type.Array(Type.Integer(), { description: 'Seconds from session_start.' }),
    stage_type: Type.Array(SleepStage),
    time_zone: optionalText('IANA zone id.'),
    ...flatSourceFields,
    ...provenance,
  },
  { title: 'SleepCycle' },
);
export type SleepCycle = Static<typeof SleepCycle>;
