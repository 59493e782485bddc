import { addDays } from '@pulsewire/database';
import type { CanonicalRecord } from '@pulsewire/contract';
import type { IngestionBounds } from './cut-windows.ts';

const dayMs = 86_400_000;
/** The bounds are local days and instants are not: a day more on each side is the contract's tolerance. */
const toleranceDays = 1;

interface Range {
  readonly startMs: number;
  /** Exclusive. */
  readonly endMs: number;
}

function rangeOf({ ingestionStart, ingestionEnd }: IngestionBounds): Range {
  return {
    startMs: ingestionStart === null ? Number.NEGATIVE_INFINITY : Date.parse(addDays(ingestionStart, -toleranceDays)),
    endMs: ingestionEnd === null ? Number.POSITIVE_INFINITY : Date.parse(addDays(ingestionEnd, toleranceDays)) + dayMs,
  };
}

const isWithin = (ms: number, { startMs, endMs }: Range) => ms >= startMs && ms < endMs;

function clipToRange(record: CanonicalRecord, range: Range): readonly CanonicalRecord[] {
  switch (record.kind) {
    case 'samples': {
      const samples = record.samples.filter(({ ts }) => isWithin(ts, range));
      if (samples.length === record.samples.length) return [record];
      return samples.length === 0 ? [] : [{ ...record, samples }];
    }
    case 'summary':
      // Without a day it tells of no time, such as a profile.
      return record.calendarDate === null || isWithin(Date.parse(record.calendarDate), range) ? [record] : [];
    case 'stream':
      return isWithin((record.data.time[0] ?? 0) * 1000, range) ? [record] : [];
    case 'summary_removal':
    case 'sample_removal':
      return [record];
  }
}

/**
 * The records that lie within the user's ingestion bounds. Windows are cut to them when they are planned; what a push names or
 * brings, and what a provider sends beyond what it was asked for, is known only here. What was taken back is taken out wherever it lies.
 */
export function withinBounds(records: readonly CanonicalRecord[], bounds: IngestionBounds): readonly CanonicalRecord[] {
  if (bounds.ingestionStart === null && bounds.ingestionEnd === null) return records;
  const range = rangeOf(bounds);
  return records.flatMap((record) => clipToRange(record, range));
}
