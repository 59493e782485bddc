import { dataEvents } from './event-names.ts';
import { insulinFields, noteTags, sensorLocation, workoutIntensity } from './sample-fields.ts';
import type { SubKinds, TimeseriesResource } from './types.ts';

type Row = { readonly name: string; readonly unit: string; readonly meaning: string } & Partial<TimeseriesResource>;

function row(shape: 'point' | 'interval', fields: Row): TimeseriesResource {
  return {
    kind: 'timeseries',
    readSlug: fields.name,
    hasFlatRead: false,
    shape,
    showsKnownEnd: false,
    isUnitFixed: false,
    valueForm: 'number',
    subKinds: null,
    extraFields: [],
    events: dataEvents(fields.name),
    isDeprecated: false,
    ...fields,
  };
}

/** A series whose samples are instants. */
function point(name: string, unit: string, meaning: string, more: Partial<TimeseriesResource> = {}): TimeseriesResource {
  return row('point', { name, unit, meaning, hasFlatRead: true, ...more });
}

/** A series whose samples last from `start` to before `end`. Its unit is a fixed text unless stated otherwise. */
function interval(name: string, unit: string, meaning: string, more: Partial<TimeseriesResource> = {}): TimeseriesResource {
  return row('interval', { name, unit, meaning, isUnitFixed: true, ...more });
}

function required(...values: string[]): SubKinds {
  return { presence: 'required', values };
}

const anySubKind: SubKinds = { presence: 'required', values: null };
const flat = { hasFlatRead: true };
const openUnit = { isUnitFixed: false };

/** The timeseries, in the order of that table. */
export const timeseriesResources: readonly TimeseriesResource[] = [
  interval('afib_burden', '%', 'share of time in atrial fibrillation'),
  interval('basal_body_temperature', '°C', 'resting temperature'),
  point('blood_oxygen', '%', 'SpO2'),
  point('blood_pressure', 'mmHg', 'cuff reading', { valueForm: 'pressure' }),
  point('fat', '%', 'fat share of body mass', { readSlug: 'body_fat' }),
  interval('body_mass_index', 'index', 'BMI'),
  interval('body_temperature', '°C', 'temperature', { extraFields: [sensorLocation] }),
  interval('body_temperature_delta', '°C', 'deviation from baseline', { extraFields: [sensorLocation] }),
  point('weight', 'kg', 'weight', { readSlug: 'body_weight' }),
  interval('caffeine', 'g', 'caffeine taken in', { ...flat, ...openUnit }),
  interval('calories_active', 'kcal', 'energy from movement', flat),
  point('calories_basal', 'kcal', 'basal energy', { isUnitFixed: true, showsKnownEnd: true }),
  interval('carbohydrates', 'g', 'carbohydrates taken in', openUnit),
  point('cholesterol', 'mmol/L', 'cholesterol reading', { subKinds: required('ldl', 'hdl', 'total', 'triglycerides') }),
  interval('daylight_exposure', 'min', 'time in daylight'),
  interval('distance', 'm', 'distance covered', flat),
  point('electrocardiogram_voltage', 'mV', 'one sample of one lead', { subKinds: anySubKind }),
  interval('fall', 'count', 'falls detected'),
  point('floors_climbed', 'count', 'floors', { isUnitFixed: true, showsKnownEnd: true }),
  interval('forced_expiratory_volume_1', 'L', 'FEV1'),
  interval('forced_vital_capacity', 'L', 'FVC'),
  point('glucose', 'mmol/L', 'blood or interstitial glucose'),
  interval('handwashing', 'count', 'hand washes'),
  interval('heart_rate_alert', 'count', 'alert raised; the value is always 1', {
    subKinds: required('low_heart_rate', 'high_heart_rate', 'irregular_rhythm'),
  }),
  interval('heart_rate_recovery_one_minute', 'count', 'drop of the heart rate after one minute'),
  point('heartrate', 'bpm', 'heart rate'),
  point('hrv', 'rmssd', 'heart-rate variability (RMSSD)'),
  interval('hypnogram', 'stage', 'sleep stage: 1 deep, 2 light, 3 REM, 4 awake, 5 manual, -1 missing', {
    ...flat,
    ...openUnit,
    isDeprecated: true,
    events: {
      created: 'daily.timeseries.hypnogram.created',
      updated: 'daily.timeseries.hypnogram.updated',
      historical: 'historical.timeseries.hypnogram.created',
    },
  }),
  point('ige', 'FSU', 'IgE reading; the type is the antigen', { subKinds: anySubKind }),
  point('igg', 'FSU', 'IgG reading; the type is the antigen', { subKinds: anySubKind }),
  interval('inhaler_usage', 'count', 'puffs'),
  interval('insulin_injection', 'unit', 'insulin given', { subKinds: required('rapid_acting', 'long_acting'), extraFields: insulinFields }),
  interval('lean_body_mass', 'kg', 'lean mass'),
  interval('mindfulness_minutes', 'min', 'mindful time', { ...flat, ...openUnit }),
  interval('note', 'text', 'free text', { ...openUnit, valueForm: 'text', extraFields: [noteTags] }),
  interval('peak_expiratory_flow_rate', 'L/min', 'peak flow'),
  point('respiratory_rate', 'bpm', 'breaths per minute'),
  interval('sleep_apnea_alert', 'count', 'alert raised'),
  interval('sleep_breathing_disturbance', 'count', 'disturbances', {
    subKinds: { presence: 'optional', values: ['elevated', 'not_elevated'] },
  }),
  interval('stand_duration', 'min', 'time standing'),
  interval('stand_hour', 'count', 'stand-hour flag', { subKinds: required('stood', 'idle') }),
  interval('steps', 'count', 'steps', flat),
  point('stress_level', '%', 'stress from 0 to 100'),
  interval('uv_exposure', 'index', 'UV index'),
  interval('vo2_max', 'mL/kg/min', 'VO2 max', { ...flat, ...openUnit }),
  interval('waist_circumference', 'cm', 'waist'),
  point('water', 'ml', 'water drunk', { showsKnownEnd: true }),
  interval('wheelchair_push', 'count', 'pushes'),
  interval('workout_distance', 'm', 'distance in a workout'),
  interval('workout_duration', 'min', 'workout time', { extraFields: [workoutIntensity] }),
  interval('workout_swimming_stroke', 'count', 'strokes'),
];
