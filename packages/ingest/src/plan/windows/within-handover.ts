import type { CanonicalRecord } from '@pulsewire/contract';
import type { HandoverBounds } from '@pulsewire/connections';

function isInside({ start, end }: HandoverBounds, { ms }: { readonly ms: number }): boolean {
  return (start === null || ms >= start.ms) && (end === null || ms < end.ms);
}

function isOnDay({ start, end }: HandoverBounds, day: string): boolean {
  return (start === null || day >= start.day) && (end === null || day < end.day);
}

/**
 * The records that a handover leaves to a connection: summaries by their day, samples and streams by the instant at which that day began.
 * A summary without a day, such as a profile, and removals apply always.
 */
export function withinHandover(records: readonly CanonicalRecord[], bounds: HandoverBounds): readonly CanonicalRecord[] {
  return records.flatMap((record): readonly CanonicalRecord[] => {
    switch (record.kind) {
      case 'samples': {
        const samples = record.samples.filter(({ ts }) => isInside(bounds, { ms: ts }));
        return samples.length === 0 ? [] : [{ ...record, samples }];
      }
      case 'summary':
        return record.calendarDate === null || isOnDay(bounds, record.calendarDate) ? [record] : [];
      case 'stream':
        return isInside(bounds, { ms: (record.data.time[0] ?? 0) * 1000 }) ? [record] : [];
      case 'summary_removal':
      case 'sample_removal':
        return [record];
    }
  });
}
