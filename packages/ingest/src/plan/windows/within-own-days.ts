import type { CanonicalRecord } from '@pulsewire/contract';
import type { ResourceDays, Span } from '@pulsewire/connections';

const isWithin = (spans: readonly Span[], ms: number) => spans.some(({ from, to }) => ms >= from.ms && (to === null || ms < to.ms));
const isOnDay = (spans: readonly Span[], day: string) => spans.some(({ from, to }) => day >= from.day && (to === null || day < to.day));

/**
 * The records of a connection on days that are its own: those that the successor was given, or all others. Resources that the other
 * provider does not have, summaries without a day, and removals apply always.
 */
export function withinOwnDays(
  records: readonly CanonicalRecord[],
  { days, isSuccessor }: { readonly days: ResourceDays; readonly isSuccessor: boolean },
): readonly CanonicalRecord[] {
  return records.flatMap((record): readonly CanonicalRecord[] => {
    if (!Object.hasOwn(days, record.resource)) return [record];
    const spans = days[record.resource] ?? [];
    const isOwn = (isSuccessors: boolean) => isSuccessors === isSuccessor;
    switch (record.kind) {
      case 'samples': {
        const samples = record.samples.filter(({ ts }) => isOwn(isWithin(spans, ts)));
        return samples.length === 0 ? [] : [{ ...record, samples }];
      }
      case 'summary':
        return record.calendarDate === null || isOwn(isOnDay(spans, record.calendarDate)) ? [record] : [];
      case 'stream':
        return isOwn(isWithin(spans, (record.data.time[0] ?? 0) * 1000)) ? [record] : [];
      case 'summary_removal':
      case 'sample_removal':
        return [record];
    }
  });
}
