import type { ExportItem } from './export-batch.ts';

/** The attributes of an element. */
export type Attributes = Readonly<Record<string, string | undefined>>;

/** `2023-01-01 10:00:00 +0100`. */
const written = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}) ([+-]\d{2})(\d{2})$/;

/** As the mobile SDKs write it. */
export function timeOf(text: string | undefined): string | null {
  const [, day, clock, hours, minutes] = written.exec(text ?? '') ?? [];
  return day === undefined ? (text ?? null) : `${day}T${clock}${hours}:${minutes}`;
}

export const offsetOf = (time: string | null) => /[+-]\d{2}:\d{2}$/.exec(time ?? '')?.[0] ?? null;

/** Parses `<<HKDevice: 0x28>, name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch6,2, software:9.1>`. */
function deviceOf(text = ''): { readonly model: string | null; readonly isApple: boolean } {
  const hardware = /hardware:(.*?)(?:, \w+:|>)/.exec(text)?.[1] ?? null;
  return { model: hardware, isApple: text.includes('manufacturer:Apple') };
}

function common({ startDate, endDate, device }: Attributes, metadata: ExportItem): ExportItem {
  const [start, end] = [timeOf(startDate), timeOf(endDate)];
  const { model, isApple } = deviceOf(device);
  return {
    id: null,
    startDate: start,
    endDate: end,
    // All times of an export are in the zone that the phone had at export, so the item's own zone has precedence.
    zoneOffset: metadata['HKTimeZone'] === undefined ? offsetOf(start) : null,
    source: { appId: isApple ? 'com.apple.health' : null, deviceModel: model },
    metadata,
  };
}

const stages: Readonly<Record<string, string>> = {
  InBed: 'in_bed',
  Asleep: 'sleeping',
  AsleepUnspecified: 'sleeping',
  AsleepCore: 'light',
  AsleepDeep: 'deep',
  AsleepREM: 'rem',
  Awake: 'awake',
};

const sleepType = 'HKCategoryTypeIdentifierSleepAnalysis';

/** A sleep stage, if the record is one. */
export function sleepItem(record: Attributes, metadata: ExportItem): ExportItem | null {
  if (record['type'] !== sleepType) return null;
  const stage = stages[record['value']?.replace('HKCategoryValueSleepAnalysis', '') ?? ''];
  return { ...common(record, metadata), stage: stage ?? 'unknown', values: null };
}

/** Codes that the mobile SDKs send, by the words of an export, which are numbered from 1. */
const codes: ReadonlyMap<string, number> = new Map(
  Object.entries({
    AppleStandHour: ['Idle'],
    MenstrualFlow: ['Unspecified', 'Light', 'Medium', 'Heavy', 'None'],
    // The name since iOS 18.
    VaginalBleeding: ['Unspecified', 'Light', 'Medium', 'Heavy', 'None'],
    CervicalMucusQuality: ['Dry', 'Sticky', 'Creamy', 'Watery', 'EggWhite'],
    OvulationTestResult: ['Negative', 'LuteinizingHormoneSurge', 'Indeterminate', 'EstrogenSurge'],
    Contraceptive: ['Unspecified', 'Implant', 'Injection', 'IntrauterineDevice', 'IntravaginalRing', 'Oral', 'Patch'],
    PregnancyTestResult: ['Negative', 'Positive', 'Indeterminate'],
    ProgesteroneTestResult: ['Negative', 'Positive', 'Indeterminate'],
  })
    .flatMap(([name, words]) => words.map((word, index): [string, number] => [`HKCategoryValue${name}${word}`, index + 1]))
    // The name before iOS 13.
    .concat([['HKCategoryValueOvulationTestResultPositive', 2]]),
);

/** Every other record. Categories have words as values, which are converted to their codes. */
export function recordItem(record: Attributes, metadata: ExportItem): ExportItem {
  const { type, unit = null, value = '' } = record;
  const number = value.trim() === '' ? Number.NaN : Number(value);
  const code = codes.get(value) ?? null;
  return { ...common(record, metadata), type, value: Number.isNaN(number) ? code : number, unit };
}

const metres: Readonly<Record<string, number>> = { m: 1, km: 1000, mi: 1609.344, yd: 0.9144, ft: 0.3048 };
const kilocalories: Readonly<Record<string, number>> = { kcal: 1, Cal: 1, kJ: 1 / 4.184, cal: 0.001 };

interface Value {
  readonly type: string;
  readonly value: number;
  readonly unit: string;
}

function toValue(type: string, text: string | undefined, factor: number | undefined, unit: string): Value[] {
  const value = text === undefined || text === '' ? Number.NaN : Number(text);
  return Number.isNaN(value) || factor === undefined ? [] : [{ type, value: Math.round(value * factor * 1e6) / 1e6, unit }];
}

/** Values of `<WorkoutStatistics>`, by the names that the SDKs use. */
export function statisticsValues(statistics: Attributes): Value[] {
  const { type = '', sum, average, minimum, maximum, unit = '' } = statistics;
  const name = type.replace('HKQuantityTypeIdentifier', '');
  if (name === 'ActiveEnergyBurned') return toValue('activeEnergyBurned', sum, kilocalories[unit], 'kcal');
  if (name === 'BasalEnergyBurned') return toValue('basalEnergyBurned', sum, kilocalories[unit], 'kcal');
  if (name.startsWith('Distance')) return toValue('distance', sum, metres[unit], 'm');
  if (name === 'StepCount') return toValue('stepCount', sum, 1, 'count');
  if (name === 'RunningPower') return toValue('averageRunningPower', average, 1, 'W');
  if (name !== 'HeartRate') return [];
  return [
    ...toValue('averageHeartRate', average, 1, 'bpm'),
    ...toValue('minHeartRate', minimum, 1, 'bpm'),
    ...toValue('maxHeartRate', maximum, 1, 'bpm'),
  ];
}

const minutes: Readonly<Record<string, number>> = { min: 60, s: 1, sec: 1, hr: 3600 };

/** A workout with the statistics inside it. Older exports have totals as attributes instead. */
export function workoutItem(workout: Attributes, metadata: ExportItem, statistics: readonly Value[]): ExportItem {
  const { workoutActivityType = '', duration, durationUnit = 'min', totalDistance, totalDistanceUnit = '', totalEnergyBurned } = workout;
  const words = workoutActivityType.replace('HKWorkoutActivityType', '').replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_');
  const totals = [
    ...toValue('duration', duration, minutes[durationUnit], 's'),
    ...toValue('distance', totalDistance, metres[totalDistanceUnit], 'm'),
    ...toValue('activeEnergyBurned', totalEnergyBurned, kilocalories[workout['totalEnergyBurnedUnit'] ?? ''], 'kcal'),
  ];
  return { ...common(workout, metadata), type: words.toLowerCase(), title: null, values: [...totals, ...statistics] };
}
