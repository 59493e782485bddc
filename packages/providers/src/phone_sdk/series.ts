import { toMillimoles } from '../kit/values/glucose.ts';
import { metadataOf, spanOf, textOf } from './read-item.ts';
import type { PhoneItem, PhoneUser } from './types.ts';
import { factorTo, toCelsius } from '../kit/values/units.ts';

/** How a type of record becomes samples of a series. */
export interface SeriesRow {
  readonly resource: string;
  /** The value in our unit, from the value and unit as sent; null: none can be made of it. */
  convert(value: number, unit: string, item: PhoneItem): number | null;
  /** Its value is a code or nothing. */
  readonly isCategory?: boolean;
  /** The value may be below zero. */
  readonly isSigned?: boolean;
  /** The value counts for a span. */
  readonly isSpan?: boolean;
  readonly subKind?: (item: PhoneItem) => string;
  readonly extra?: (item: PhoneItem) => Readonly<Record<string, unknown>>;
  /** The kind of amount, where types of record that measure different things have one series: one does not replace the other. */
  readonly part?: string;
  /** Sent so often that ids are kept in a packed form; has no sub-kinds. */
  readonly isFrequent?: boolean;
}

/** Converts to a unit, from whatever unit of its kind was sent; null for another one. A value without a unit is in ours. */
export const as =
  (target: string): SeriesRow['convert'] =>
  (value, unit) => {
    const factor = unit === '' ? 1 : factorTo(target, unit);
    return factor === null ? null : factor === 1 ? value : round(value * factor);
  };
const plain: SeriesRow['convert'] = (value) => value;
const one: SeriesRow['convert'] = () => 1;
const minutesOf: SeriesRow['convert'] = (_value, _unit, item) => {
  const span = spanOf(item);
  return span && (span.endMs - span.startMs) / 60_000;
};
const celsius: SeriesRow['convert'] = (value, unit) => {
  const degrees = toCelsius(value, unit);
  return degrees === null ? null : round(degrees);
};
const celsiusChange: SeriesRow['convert'] = (value, unit) => {
  const degrees = toCelsius(value, unit, true);
  return degrees === null ? null : round(degrees);
};
// Labelled with a percent sign, and a fraction all the same.
const fraction: SeriesRow['convert'] = (value) => (value <= 1 ? round(value * 100) : value);
export const perMinute: SeriesRow['convert'] = as('count/min');
const glucose: SeriesRow['convert'] = (value, unit) => {
  const perDecilitre = unit === '' ? null : factorTo('mg/dL', unit);
  return perDecilitre === null ? as('mmol/L')(value, unit, {}) : toMillimoles(value * perDecilitre);
};
const length = (resource: string, perMetre: number): SeriesRow => ({
  resource,
  convert: (value, unit) => {
    const metres = as('m')(value, unit, {});
    return metres === null ? null : round(metres * perMetre);
  },
});
const round = (value: number) => Math.round(value * 1e6) / 1e6;

const places: readonly (readonly [pattern: RegExp, place: string])[] = [
  [/armpit/i, 'armpit'],
  [/tympanic|eardrum/i, 'eardrum'],
  [/ear/i, 'ear'],
  [/finger/i, 'finger'],
  [/gastro/i, 'gastrointestinal'],
  [/temporal/i, 'temporal_artery'],
  [/mouth|oral/i, 'mouth'],
  [/rect/i, 'rectum'],
  [/toe/i, 'toe'],
  [/forehead/i, 'forehead'],
  [/wrist/i, 'wrist'],
  [/body/i, 'body'],
];
function placeOf(item: PhoneItem): Record<string, unknown> {
  const reported = textOf(metadataOf(item)['measurementLocation']) ?? '';
  const place = places.find(([pattern]) => pattern.test(reported))?.[1];
  return place === undefined ? {} : { sensor_location: place };
}

// HealthKit states why insulin was given, but not which; a basal dose by pen is the long-acting one.
const isBasal = (item: PhoneItem) => textOf(metadataOf(item)['HKInsulinDeliveryReason']) === '1';

const point = (resource: string, convert: SeriesRow['convert'] = plain, more: Partial<SeriesRow> = {}): SeriesRow => ({
  resource,
  convert,
  ...more,
});
const span = (resource: string, convert: SeriesRow['convert'] = plain, more: Partial<SeriesRow> = {}): SeriesRow => ({
  resource,
  convert,
  isSpan: true,
  ...more,
});
const often = { isFrequent: true };
const category = (resource: string, convert = one, more: Partial<SeriesRow> = {}) => span(resource, convert, { isCategory: true, ...more });
const alert = (kind: string): SeriesRow => category('heart_rate_alert', one, { subKind: () => kind });

/** By the type of a record: HealthKit's identifier without its prefix, or the name that Android phones send. */
export const seriesRows: Readonly<Record<string, SeriesRow>> = {
  StepCount: span('steps', plain, often),
  STEP_COUNT: span('steps', plain, often),
  HeartRate: point('heartrate', perMinute, often),
  HEART_RATE: point('heartrate', perMinute, often),
  HEART_RATE_VARIABILITY: point('hrv', as('ms'), often),
  OxygenSaturation: point('blood_oxygen', fraction, often),
  OXYGEN_SATURATION: point('blood_oxygen', plain, often),
  RespiratoryRate: point('respiratory_rate', perMinute, often),
  RESPIRATORY_RATE: point('respiratory_rate', perMinute, often),
  BloodGlucose: point('glucose', glucose),
  BLOOD_GLUCOSE: point('glucose', glucose),
  ActiveEnergyBurned: span('calories_active', as('kcal'), often),
  ACTIVE_CALORIES_BURNED: span('calories_active', as('kcal'), often),
  BasalEnergyBurned: span('calories_basal', as('kcal'), often),
  DistanceWalkingRunning: span('distance', as('m'), often),
  DistanceCycling: span('distance', as('m'), { ...often, part: 'cycling' }),
  DistanceWheelchair: span('distance', as('m'), { ...often, part: 'wheelchair' }),
  DistanceDownhillSnowSports: span('distance', as('m'), { ...often, part: 'snow' }),
  DistanceCrossCountrySkiing: span('distance', as('m'), { ...often, part: 'skiing' }),
  DistancePaddleSports: span('distance', as('m'), { ...often, part: 'paddling' }),
  DistanceRowing: span('distance', as('m'), { ...often, part: 'rowing' }),
  DistanceSkatingSports: span('distance', as('m'), { ...often, part: 'skating' }),
  DISTANCE: span('distance', as('m'), often),
  DistanceSwimming: span('workout_distance', as('m'), often),
  FlightsClimbed: span('floors_climbed', plain, often),
  FLOORS_CLIMBED: span('floors_climbed', plain, often),
  VO2Max: span('vo2_max', as('mL/min·kg')),
  VO2_MAX: span('vo2_max', as('mL/min·kg')),
  BodyMass: point('weight', as('kg')),
  WEIGHT: point('weight', as('kg')),
  BodyFatPercentage: point('fat', fraction),
  BODY_FAT: point('fat'),
  BodyMassIndex: span('body_mass_index'),
  BMI: span('body_mass_index'),
  LeanBodyMass: span('lean_body_mass', as('kg')),
  LEAN_BODY_MASS: span('lean_body_mass', as('kg')),
  WaistCircumference: { ...length('waist_circumference', 100), isSpan: true },
  BodyTemperature: span('body_temperature', celsius, { extra: placeOf }),
  BODY_TEMPERATURE: span('body_temperature', celsius, { extra: placeOf }),
  AppleSleepingWristTemperature: span('body_temperature', celsius, { extra: () => ({ sensor_location: 'wrist' }) }),
  SKIN_TEMPERATURE: span('body_temperature_delta', celsiusChange, { isSigned: true, extra: placeOf }),
  BasalBodyTemperature: span('basal_body_temperature', celsius),
  BASAL_BODY_TEMPERATURE: span('basal_body_temperature', celsius),
  DietaryWater: span('water', as('ml')),
  HYDRATION: span('water', as('ml')),
  DietaryCarbohydrates: span('carbohydrates', as('g')),
  DietaryCaffeine: span('caffeine', as('g')),
  InsulinDelivery: span('insulin_injection', as('IU'), {
    subKind: (item) => (isBasal(item) ? 'long_acting' : 'rapid_acting'),
    extra: (item) => ({ delivery_mode: isBasal(item) ? 'basal' : 'bolus' }),
  }),
  HeartRateRecoveryOneMinute: span('heart_rate_recovery_one_minute', perMinute, { isSigned: true }),
  ForcedVitalCapacity: span('forced_vital_capacity', as('L')),
  ForcedExpiratoryVolume1: span('forced_expiratory_volume_1', as('L')),
  PeakExpiratoryFlowRate: span('peak_expiratory_flow_rate', as('L/min')),
  InhalerUsage: span('inhaler_usage'),
  NumberOfTimesFallen: span('fall'),
  UVExposure: span('uv_exposure'),
  TimeInDaylight: span('daylight_exposure', as('min')),
  PushCount: span('wheelchair_push', plain, often),
  AtrialFibrillationBurden: span('afib_burden', fraction),
  AppleSleepingBreathingDisturbances: span('sleep_breathing_disturbance'),
  SwimmingStrokeCount: span('workout_swimming_stroke', plain, often),
  AppleStandTime: span('stand_duration', as('min'), often),
  AppleExerciseTime: span('workout_duration', as('min'), often),
  // Its value is nothing; its length counts.
  MindfulSession: category('mindfulness_minutes', minutesOf),
  AppleStandHour: category('stand_hour', one, { subKind: (item) => (item['value'] === 1 ? 'idle' : 'stood') }),
  HighHeartRateEvent: alert('high_heart_rate'),
  LowHeartRateEvent: alert('low_heart_rate'),
  IrregularHeartRhythmEvent: alert('irregular_rhythm'),
  HandwashingEvent: category('handwashing'),
  SleepApneaEvent: category('sleep_apnea_alert'),
};

/** Series of which days are made. */
export const daySeries: ReadonlySet<string> = new Set([
  'steps',
  'distance',
  'calories_active',
  'calories_basal',
  'floors_climbed',
  'wheelchair_push',
  'heartrate',
]);

/** Of a record type, as `seriesRows` names it. */
export const typeName = (type: string): string => type.replace(/^HK(?:Quantity|Category)TypeIdentifier/, '');

/** The first version of the Android SDK that reads Samsung's energy; earlier ones send metres under its name. */
const samsungEnergySince = [0, 13, 1] as const;

/** Whether a version such as `0.15.0-ow.3` is at least this one; not when it is unknown. */
function isAtLeast(version: string | null | undefined, least: readonly number[]): boolean {
  const parts = /^v?(\d+)\.(\d+)(?:\.(\d+))?/
    .exec(version ?? '')
    ?.slice(1)
    .map((part) => Number(part ?? 0));
  if (!parts) return false;
  const at = least.findIndex((number, place) => parts[place] !== number);
  return at === -1 || (parts[at] ?? 0) > (least[at] ?? 0);
}

/**
 * Records that measure something else than the series of that name: variability as SDNN (ours is RMSSD), Samsung's energy up to a version of
 * the SDK, a basal rate that must not be added up, a temperature of the skin that is not the difference from its baseline.
 */
export function isOtherMeasure(
  { provider, sdkVersion }: Pick<PhoneUser, 'provider' | 'sdkVersion'>,
  type: string,
  item: PhoneItem,
): boolean {
  if (type === 'HeartRateVariabilitySDNN' || type === 'BASAL_METABOLIC_RATE') return true;
  if (type === 'SKIN_TEMPERATURE') return ['false', false].includes(metadataOf(item)['relative'] as string);
  return provider === 'samsung_health' && type === 'ACTIVE_CALORIES_BURNED' && !isAtLeast(sdkVersion, samsungEnergySince);
}

/** Whether the id of a record is the same whenever the phone reads it. */
export function hasLastingId(provider: string, type: string): boolean {
  return provider !== 'samsung_health' || (type !== 'STEP_COUNT' && type !== 'ACTIVE_CALORIES_BURNED');
}
