import type { ExtraField } from './types.ts';

/** Where a temperature was taken. */
export const sensorLocation: ExtraField = {
  name: 'sensor_location',
  isList: false,
  isRequired: true,
  values: [
    'armpit',
    'body',
    'ear',
    'finger',
    'gastrointestinal',
    'mouth',
    'rectum',
    'toe',
    'eardrum',
    'temporal_artery',
    'forehead',
    'wrist',
  ],
};

/** How insulin was given. */
export const insulinFields: readonly ExtraField[] = [
  { name: 'delivery_mode', isList: false, isRequired: false, values: ['basal', 'bolus'] },
  { name: 'delivery_form', isList: false, isRequired: false, values: ['standard', 'extended'] },
  { name: 'bolus_purpose', isList: false, isRequired: false, values: ['meal', 'correction', 'mixed', 'unknown'] },
];

/** Topic of a note. */
export const noteTags: ExtraField = {
  name: 'tags',
  isList: true,
  isRequired: false,
  values: ['food', 'exercise', 'insulin_injection', 'unspecified'],
};

/** How hard the minutes of a workout were. */
export const workoutIntensity: ExtraField = { name: 'intensity', isList: false, isRequired: true, values: ['low', 'medium', 'high'] };
