import type { CompleteRange } from '@pulsewire/contract';
import type { PulledPage } from '@pulsewire/providers';
import type { PresentRecord } from '@pulsewire/store';
import { hidesRecords } from '../records/hides-records.ts';
import type { CompleteReading } from '../records/remove-missing.ts';

/** Collects what all pages of one reading contain together (`PulledPage.partOf`). */
export interface WholeReading {
  add(page: PulledPage): void;
  /** Call it when part of a page could not be stored. */
  markIncomplete(): void;
  /** Call it after the last page; null when the pages do not allow removals. */
  end(): CompleteReading | null;
}

/**
 * Keeps only what identifies the records of each page. `isContinued`: the reading was resumed, so its responses are from different times.
 */
export function openWholeReading(isContinued: boolean): WholeReading {
  const ranges = new Map<string, CompleteRange>();
  const records: PresentRecord[] = [];
  /** Resources whose samples are kept: there are thousands a day, and most readings declare no range that needs them. */
  const series = new Set<string>();
  const dropped = new Set<string>();
  let version: bigint | null = null;
  let isPartial = isContinued;
  return {
    add(page) {
      if (hidesRecords(page.quarantined)) isPartial = true;
      if (version === null || page.version < version) version = page.version;
      if (isPartial) return;
      for (const range of page.partOf ?? []) {
        ranges.set(JSON.stringify(range), range);
        // Samples of earlier pages were not kept, so missing ones cannot be determined.
        if (range.kind === 'samples' && dropped.has(range.resource)) isPartial = true;
        if (range.kind === 'samples') series.add(range.resource);
      }
      for (const record of page.records) {
        if (record.kind === 'summary') records.push({ kind: 'summary', resource: record.resource, id: record.id });
        if (record.kind !== 'samples') continue;
        if (series.has(record.resource)) records.push(record);
        else dropped.add(record.resource);
      }
      for (const { resource, id } of page.named ?? []) records.push({ kind: 'summary', resource, id });
    },
    markIncomplete() {
      isPartial = true;
    },
    end: () => (isPartial || version === null || ranges.size === 0 ? null : { version, ranges: [...ranges.values()], records }),
  };
}
