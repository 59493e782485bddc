import { dayMs, addDays } from '@pulsewire/kernel';
import type { PullConnection } from '@pulsewire/connections';
import type { CanonicalRecord } from '@pulsewire/contract';
import type { IngestionBounds } from './cut-windows.ts';
import { withinHandover } from './within-handover.ts';

/** The bounds are local days and instants are not: the contract tolerates one day more on each side. */
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
      // A summary without a day, such as a profile, has no time.
      return record.calendarDate === null || isWithin(Date.parse(record.calendarDate), range) ? [record] : [];
    case 'stream':
      return isWithin((record.data.time[0] ?? 0) * 1000, range) ? [record] : [];
    case 'summary_removal':
    case 'sample_removal':
      return [record];
  }
}

/**
 * The records within the user's ingestion bounds. Windows are cut to the bounds when they are planned; data from pushes, and data outside
 * the requested range, can only be checked here. Removals apply whatever their time. A handover is exact: what one connection keeps, the
 * other leaves out.
 */
export function withinBounds(
  records: readonly CanonicalRecord[],
  bounds: IngestionBounds & Pick<PullConnection, 'handover'>,
): readonly CanonicalRecord[] {
  const kept = bounds.handover ? withinHandover(records, bounds.handover) : records;
  if (bounds.ingestionStart === null && bounds.ingestionEnd === null) return kept;
  const range = rangeOf(bounds);
  return kept.flatMap((record) => clipToRange(record, range));
}
