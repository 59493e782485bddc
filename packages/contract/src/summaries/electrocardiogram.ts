import { Type, type Static } from 'typebox';
import { DateTime, openEnum, optional, optionalInteger, optionalNumber, optionalText } from '../fields/fields.ts';
import { flatSourceFields } from '../fields/source-context.ts';
import { ownership, provenance } from './common.ts';

const classifications = ['sinus_rhythm', 'atrial_fibrillation', 'inconclusive'] as const;
const causes = ['high_heart_rate', 'low_heart_rate', 'poor_reading'] as const;

/** One electrocardiogram; its voltages are samples of `electrocardiogram_voltage`. */
export const Electrocardiogram = Type.Object(
  {
    ...ownership,
    session_start: DateTime,
    session_end: DateTime,
    voltage_sample_count: Type.Integer(),
    heart_rate_mean: optionalInteger('Beats per minute.'),
    sampling_frequency_hz: optionalNumber('Hz.'),
    classification: optional(openEnum(classifications)),
    inconclusive_cause: optional(openEnum(causes, 'Only with the classification inconclusive.')),
    algorithm_version: optionalText('Version of the classifying algorithm.'),
    time_zone: optionalText('IANA zone id.'),
    ...flatSourceFields,
    source_device_model: optionalText('Model of the recording device.'),
    ...provenance,
  },
  { title: 'Electrocardiogram' },
);
export type Electrocardiogram = Static<typeof Electrocardiogram>;
