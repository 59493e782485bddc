import type { ExportItem } from './export-batch.ts';
import { deviceTypes, exerciseTypes, recordingMethods, sleepStages, type ValueTable } from './health-connect-tables.ts';

/** A row of a query; integers as bigint, because a JavaScript number cannot hold all of them. */
export type Row = Readonly<Record<string, unknown>>;

export const numberOf = (value: unknown): number | null => (typeof value === 'bigint' || typeof value === 'number' ? Number(value) : null);
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const wordOf = (words: readonly (string | null)[], code: unknown): string | null => words[Number(code ?? Number.NaN)] ?? null;

// The largest instant of a Date.
const msMax = 8.64e15;

/** The mobile SDK sends whole seconds; the same here, so that both identify a sample by the same time. */
function timeOf(value: unknown): string | null {
  const ms = numberOf(value);
  return ms === null || Math.abs(ms) > msMax ? null : new Date(Math.floor(ms / 1000) * 1000).toISOString();
}

const two = (value: number) => String(value).padStart(2, '0');

function offsetOf(value: unknown): string | null {
  const seconds = numberOf(value);
  if (seconds === null || Math.abs(seconds) > 86_400) return null;
  if (seconds === 0) return 'Z';
  const size = Math.abs(seconds);
  const parts = [Math.floor(size / 3600), Math.floor((size % 3600) / 60), ...(size % 60 === 0 ? [] : [size % 60])];
  return `${seconds < 0 ? '-' : '+'}${parts.map(two).join(':')}`;
}

/** The UUID of a record, as the mobile SDK sends it. */
function idOf(value: unknown): string | null {
  if (!(value instanceof Uint8Array) || value.length !== 16) return null;
  return Buffer.from(value)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** The fields of a row selected with `commonColumns`. */
function common(row: Row, suffix = ''): ExportItem {
  const id = idOf(row['uuid']);
  return {
    id: id === null ? null : `${id}${suffix}`,
    parentId: suffix === '' ? null : id,
    startDate: timeOf(row['start_ms']),
    endDate: timeOf(row['end_ms']),
    zoneOffset: offsetOf(row['offset_s']),
    source: {
      appId: textOf(row['package_name']),
      deviceManufacturer: textOf(row['manufacturer']),
      deviceModel: textOf(row['model']),
      deviceType: wordOf(deviceTypes, row['device_type']),
      recordingMethod: wordOf(recordingMethods, row['recording_method']),
    },
    metadata: null,
  };
}

/** The record of one value; null when the row leaves it unset. */
export function valueItem({ type, unit, detail, isZeroUnset }: ValueTable, row: Row): ExportItem | null {
  const value = numberOf(row['value']);
  if (isZeroUnset && (value === null || value < 1e-9)) return null;
  return { ...common(row), type, unit, value, ...(detail && { metadata: { [detail.key]: wordOf(detail.words, row['detail']) } }) };
}

/** A record has many heart rates, and an id names one item: each has the record's id and its own time. */
export function heartRateItem(row: Row): ExportItem {
  return { ...common(row, `-${String(row['start_ms'])}`), type: 'HEART_RATE', unit: 'bpm', value: numberOf(row['value']) };
}

export function pressureItems(row: Row): ExportItem[] {
  return [
    { ...common(row, '-sys'), type: 'BLOOD_PRESSURE_SYSTOLIC', unit: 'mmHg', value: numberOf(row['systolic']) },
    { ...common(row, '-dia'), type: 'BLOOD_PRESSURE_DIASTOLIC', unit: 'mmHg', value: numberOf(row['diastolic']) },
  ];
}

/** A stage of a night; a night without stages is one stage, `sleeping`. */
export function sleepItem(row: Row): ExportItem {
  const number = numberOf(row['stage_number']);
  return {
    ...common(row, number === null ? '' : `-s${number}`),
    stage: number === null ? 'sleeping' : (wordOf(sleepStages, row['stage_type']) ?? 'unknown'),
    values: null,
  };
}

export function workoutItem(row: Row, route: readonly Row[]): ExportItem {
  const [startMs, endMs] = [numberOf(row['start_ms']), numberOf(row['end_ms'])];
  const isTimed = startMs !== null && endMs !== null;
  return {
    ...common(row),
    type: wordOf(exerciseTypes, row['exercise_type']) ?? 'UNKNOWN',
    title: textOf(row['title']),
    values: isTimed ? [{ type: 'duration', value: Math.round((endMs - startMs) / 1000), unit: 's' }] : [],
    route: route.map((point) => ({
      timestamp: timeOf(point['timestamp_millis']),
      latitude: numberOf(point['latitude']),
      longitude: numberOf(point['longitude']),
      altitudeM: numberOf(point['altitude']),
    })),
  };
}
