import { rmssdOf, type Beat } from './beats.ts';
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

/** The parts of `<<HKDevice: 0x28>, name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch6,2, software:9.1>`. */
function deviceOf(text = '') {
  const partOf = (name: string) => new RegExp(`[ ,]${name}:(.*?)(?:, (?:\\w+ )?\\w+:|>)`).exec(text)?.[1] ?? null;
  return {
    deviceName: partOf('name'),
    deviceManufacturer: partOf('manufacturer'),
    deviceModel: partOf('hardware'),
    deviceSoftwareVersion: partOf('software'),
  };
}

function common({ startDate, endDate, device, sourceName, sourceVersion }: Attributes, metadata: ExportItem): ExportItem {
  const [start, end] = [timeOf(startDate), timeOf(endDate)];
  return {
    id: null,
    startDate: start,
    endDate: end,
    // All times of an export are in the zone that the phone had at export, so the item's own zone has precedence.
    zoneOffset: metadata['HKTimeZone'] === undefined ? offsetOf(start) : null,
    // Of the writer, an export has only the name.
    source: { appId: null, name: sourceName ?? null, version: sourceVersion ?? null, ...deviceOf(device) },
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

const variability = 'HKQuantityTypeIdentifierHeartRateVariabilitySDNN';

/**
 * Every other record. Categories have words as values, which are converted to their codes. A variability whose beats are listed becomes
 * the one that we have a series for.
 */
export function recordItem(record: Attributes, metadata: ExportItem, beats: readonly Beat[] = []): ExportItem {
  const { type, unit = null, value = '' } = record;
  const rmssd = type === variability ? rmssdOf(beats) : null;
  if (rmssd !== null) return { ...common(record, metadata), type: 'HEART_RATE_VARIABILITY', value: rmssd, unit: 'ms' };
  const number = value.trim() === '' ? Number.NaN : Number(value);
  const code = codes.get(value) ?? null;
  return { ...common(record, metadata), type, value: Number.isNaN(number) ? code : number, unit };
}

/** A figure of a workout, in the unit of the export. */
export interface Value {
  readonly type: string;
  readonly value: number;
  readonly unit: string;
}

/** Of `<WorkoutStatistics>`; a workout has one for each kind of distance. */
export interface Statistic extends Value {
  readonly isDistance?: boolean;
}

function toValue(type: string, text: string | undefined, unit: string): Value[] {
  const value = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? [{ type, value, unit }] : [];
}

/** The names that the SDKs use, by HealthKit's; of others the statistics are counted under their own name. */
const sums: Readonly<Record<string, string>> = {
  ActiveEnergyBurned: 'activeEnergyBurned',
  BasalEnergyBurned: 'basalEnergyBurned',
  StepCount: 'stepCount',
  SwimmingStrokeCount: 'swimmingStrokeCount',
};
const averages: Readonly<Record<string, string>> = {
  RunningPower: 'averageRunningPower',
  RunningSpeed: 'averageRunningSpeed',
  CyclingPower: 'averageCyclingPower',
  CyclingSpeed: 'averageCyclingSpeed',
  CyclingCadence: 'averageCyclingCadence',
};

/** Values of `<WorkoutStatistics>`, by the names that the SDKs use. */
export function statisticsValues(statistics: Attributes): Statistic[] {
  const { type = '', sum, average, minimum, maximum, unit = '' } = statistics;
  const name = type.replace('HKQuantityTypeIdentifier', '');
  if (name.startsWith('Distance')) return toValue('distance', sum, unit).map((value) => ({ ...value, isDistance: true }));
  if (name === 'HeartRate')
    return [
      ...toValue('averageHeartRate', average, unit),
      ...toValue('minHeartRate', minimum, unit),
      ...toValue('maxHeartRate', maximum, unit),
    ];
  return sums[name] === undefined ? toValue(averages[name] ?? name, average ?? sum, unit) : toValue(sums[name], sum, unit);
}

/** Figures that an export has as metadata: `HKElevationAscended` with `1234 cm`. */
const quantities: Readonly<Record<string, string>> = {
  HKElevationAscended: 'elevationAscended',
  HKAverageSpeed: 'averageSpeed',
  HKMaximumSpeed: 'maxSpeed',
};

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

const metadataValues = (metadata: ExportItem): Value[] =>
  Object.entries(quantities).flatMap(([key, type]) => {
    const [, number, unit = ''] = /^(-?[\d.]+) (\S+)$/.exec(textOf(metadata[key])) ?? [];
    return toValue(type, number, unit);
  });

/** A workout with the statistics inside it. Older exports have totals as attributes instead. */
export function workoutItem(workout: Attributes, metadata: ExportItem, statistics: readonly Statistic[]): ExportItem {
  const { workoutActivityType = '', duration, durationUnit = 'min', totalDistance, totalDistanceUnit = '', totalEnergyBurned } = workout;
  const words = workoutActivityType.replace('HKWorkoutActivityType', '').replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_');
  const totals = [
    ...toValue('duration', duration, durationUnit),
    ...toValue('activeEnergyBurned', totalEnergyBurned, workout['totalEnergyBurnedUnit'] ?? ''),
  ];
  const others = statistics.filter(({ isDistance }) => !isDistance);
  const distances = statistics.filter(({ isDistance }) => isDistance);
  const own = distances.length > 0 ? distances : toValue('distance', totalDistance, totalDistanceUnit);
  const lengths = own.map(({ value, unit }) => ({ value, unit }));
  return {
    ...common(workout, metadata),
    type: words.toLowerCase(),
    title: null,
    values: [...totals, ...others, ...metadataValues(metadata)],
    distances: lengths,
  };
}

const sexes: Readonly<Record<string, string>> = {
  HKBiologicalSexMale: 'male',
  HKBiologicalSexFemale: 'female',
  HKBiologicalSexOther: 'other',
};

/** `<Me>`: what the person has told the phone about themselves; null when it is nothing that a profile has. */
export function personItem(me: Attributes): ExportItem | null {
  const birthDate = me['HKCharacteristicTypeIdentifierDateOfBirth'] ?? '';
  const sex = sexes[me['HKCharacteristicTypeIdentifierBiologicalSex'] ?? ''] ?? null;
  return birthDate === '' && sex === null ? null : { id: null, type: 'Characteristics', birthDate, sex };
}
