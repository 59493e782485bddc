import { Type, type Static, type TProperties } from 'typebox';
import { DateOnly, nullable, openEnum, optional } from '../fields/fields.ts';
import { flatSourceFields } from '../fields/source-context.ts';
import { ownership, provenance } from './common.ts';

/** Daily entries of one kind. Without entries the list is empty, not null. */
function entries<Fields extends TProperties>(fields: Fields) {
  return Type.Optional(Type.Array(Type.Object({ date: DateOnly, ...fields })));
}

const testResults = ['negative', 'positive', 'indeterminate'] as const;
const ovulationResults = ['negative', 'positive', 'luteinizing_hormone_surge', 'estrogen_surge', 'indeterminate'] as const;
const contraceptives = ['unspecified', 'implant', 'injection', 'iud', 'intravaginal_ring', 'oral', 'patch'] as const;
const deviations = [
  'persistent_intermenstrual_bleeding',
  'prolonged_menstrual_periods',
  'irregular_menstrual_cycles',
  'infrequent_menstrual_cycles',
] as const;

/** One menstrual cycle. */
export const MenstrualCycle = Type.Object(
  {
    ...ownership,
    period_start: DateOnly,
    period_end: optional(DateOnly),
    cycle_end: optional(DateOnly),
    is_predicted: Type.Optional(Type.Boolean({ default: false, description: 'The cycle is a forecast.' })),
    menstrual_flow: entries({ flow: openEnum(['unspecified', 'none', 'light', 'medium', 'heavy']) }),
    cervical_mucus: entries({ quality: openEnum(['dry', 'sticky', 'creamy', 'watery', 'egg_white']) }),
    intermenstrual_bleeding: entries({}),
    contraceptive: entries({ type: openEnum(contraceptives) }),
    detected_deviations: entries({ deviation: openEnum(deviations) }),
    ovulation_test: entries({ test_result: openEnum(ovulationResults) }),
    home_pregnancy_test: entries({ test_result: openEnum(testResults) }),
    home_progesterone_test: entries({ test_result: openEnum(testResults) }),
    sexual_activity: entries({ protection_used: nullable(Type.Boolean()) }),
    basal_body_temperature: entries({ value: Type.Number({ description: '°C.' }) }),
    ...flatSourceFields,
    ...provenance,
  },
  { title: 'MenstrualCycle' },
);
export type MenstrualCycle = Static<typeof MenstrualCycle>;
