import type { Sample } from '../records/records.ts';
import type { TimeseriesResource } from '../resources/types.ts';

// The longest text of a double is 25 characters (-0.0000012345678901234567), of an instant 32 (years of six digits).
const numberBytes = 25;
const instantBytes = 32;
// Most values and offsets are small whole numbers; counting 25 for each would end batches a quarter too early.
const smallIntegerBytes = 7;
// An escaped character of JSON takes 6 bytes, and no UTF-16 unit takes more than 3 in UTF-8.
const characterBytesMax = 6;

const keyBytes = '{"id":null,"timestamp":"","timezone_offset":,"type":,"unit":"",}'.length;
const intervalBytes = ',"start":"","end":""'.length + 2 * instantBytes;
const pressureKeyBytes = '"systolic":,"diastolic":'.length;
const valueKeyBytes = '"value":'.length;

function numberBytesMax(value: number | null | undefined): number {
  if (value === null || value === undefined) return 4;
  return Number.isInteger(value) && Math.abs(value) < 1_000_000 ? smallIntegerBytes : numberBytes;
}

function textBytesMax(text: string): number {
  return text.length * characterBytesMax + 2;
}

function anyBytesMax(value: unknown): number {
  if (value === undefined || value === null) return 4;
  if (typeof value === 'string') return textBytesMax(value);
  if (typeof value === 'number') return numberBytesMax(value);
  return textBytesMax(JSON.stringify(value));
}

/**
 * Upper bound of the bytes of a sample's JSON text, including the comma after it. Cheap, and precise enough for splitting
 * batches at 256 KiB. `subKind` is the series' own, if it has one.
 */
export function sampleJsonBytesMax(sample: Sample, row: TimeseriesResource, subKind = ''): number {
  let bytes = keyBytes + instantBytes + 1 + row.unit.length * 3;
  bytes += numberBytesMax(sample.timezoneOffset);
  if (row.shape === 'interval' || row.showsKnownEnd) bytes += intervalBytes;
  if (row.subKinds === null) bytes += 4;
  else bytes += Math.max(4, row.subKinds.presence === 'required' ? textBytesMax(subKind) : anyBytesMax(sample.extra?.['type']));
  if (row.valueForm === 'pressure') bytes += pressureKeyBytes + numberBytesMax(sample.value) + numberBytesMax(sample.value2);
  else bytes += valueKeyBytes + (row.valueForm === 'text' ? anyBytesMax(sample.extra?.['text']) : numberBytesMax(sample.value));
  for (const field of row.extraFields) bytes += field.name.length + 4 + anyBytesMax(sample.extra?.[field.name]);
  return bytes;
}
