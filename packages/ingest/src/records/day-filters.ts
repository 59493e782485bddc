import { dayMs, addDays } from '@pulsewire/kernel';
import type { HandoverBounds, PullConnection, ResourceDays, Span } from '@pulsewire/connections';
import type { CanonicalRecord } from '@pulsewire/contract';
import type { IngestionBounds } from '../plan/cut-windows.ts';

/** Which records are kept. Samples and streams have an instant (ms since the epoch), summaries a local day. */
interface DayFilter {
  readonly keepsInstant: (ms: number) => boolean;
  readonly keepsDay: (day: string) => boolean;
}

/**
 * The records that the filter of their resource keeps; null: all. Summaries without a day, such as a profile, have no time, and removals
 * apply whatever their time: both are kept.
 */
function keep(records: readonly CanonicalRecord[], filterOf: (resource: string) => DayFilter | null): readonly CanonicalRecord[] {
  return records.flatMap((record): readonly CanonicalRecord[] => {
    const filter = filterOf(record.resource);
    if (filter === null) return [record];
    switch (record.kind) {
      case 'samples': {
        const samples = record.samples.filter(({ ts }) => filter.keepsInstant(ts));
        if (samples.length === record.samples.length) return [record];
        return samples.length === 0 ? [] : [{ ...record, samples }];
      }
      case 'summary':
        return record.calendarDate === null || filter.keepsDay(record.calendarDate) ? [record] : [];
      case 'stream':
        return filter.keepsInstant((record.data.time[0] ?? 0) * 1000) ? [record] : [];
      case 'summary_removal':
      case 'sample_removal':
        return [record];
    }
  });
}

/** The bounds are local days and instants are not: the contract tolerates one day more on each side. */
const toleranceDays = 1;

function ingestionFilter({ ingestionStart, ingestionEnd }: IngestionBounds): DayFilter {
  const startMs = ingestionStart === null ? Number.NEGATIVE_INFINITY : Date.parse(addDays(ingestionStart, -toleranceDays));
  const endMs = ingestionEnd === null ? Number.POSITIVE_INFINITY : Date.parse(addDays(ingestionEnd, toleranceDays)) + dayMs;
  const keepsInstant = (ms: number) => ms >= startMs && ms < endMs;
  return { keepsInstant, keepsDay: (day) => keepsInstant(Date.parse(day)) };
}

/** The records that a handover of the whole connection leaves to it. It is exact: what one connection keeps, the other leaves out. */
export function withinHandover(records: readonly CanonicalRecord[], { start, end }: HandoverBounds): readonly CanonicalRecord[] {
  const filter: DayFilter = {
    keepsInstant: (ms) => (start === null || ms >= start.ms) && (end === null || ms < end.ms),
    keepsDay: (day) => (start === null || day >= start.day) && (end === null || day < end.day),
  };
  return keep(records, () => filter);
}

/**
 * The records within the user's ingestion bounds, and on the days that a handover leaves to the connection. Windows are cut to the bounds
 * when they are planned; data from pushes, and data outside the requested range, can only be checked here.
 */
export function withinBounds(
  records: readonly CanonicalRecord[],
  bounds: IngestionBounds & Pick<PullConnection, 'handover'>,
): readonly CanonicalRecord[] {
  const kept = bounds.handover ? withinHandover(records, bounds.handover) : records;
  if (bounds.ingestionStart === null && bounds.ingestionEnd === null) return kept;
  const filter = ingestionFilter(bounds);
  return keep(kept, () => filter);
}

const hasInstant = (spans: readonly Span[], ms: number) => spans.some(({ from, to }) => ms >= from.ms && (to === null || ms < to.ms));
const hasDay = (spans: readonly Span[], day: string) => spans.some(({ from, to }) => day >= from.day && (to === null || day < to.day));

/**
 * The records of a connection on days that are its own by a handover per resource: those that the successor was given, or all others.
 * Resources that the other provider does not have are kept.
 */
export function withinOwnDays(
  records: readonly CanonicalRecord[],
  { days, isSuccessor }: { readonly days: ResourceDays; readonly isSuccessor: boolean },
): readonly CanonicalRecord[] {
  return keep(records, (resource) => {
    if (!Object.hasOwn(days, resource)) return null;
    const spans = days[resource] ?? [];
    return { keepsInstant: (ms) => hasInstant(spans, ms) === isSuccessor, keepsDay: (day) => hasDay(spans, day) === isSuccessor };
  });
}
