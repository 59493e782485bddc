import type { CompleteRange } from '@pulsewire/contract';
import type { PulledPage } from '@pulsewire/providers';
import { presentIn, type PresentRecord } from '@pulsewire/store';
import type { CompleteReading } from './remove-missing.ts';

/** Gathers what the pages of one reading hold together (`PulledPage.partOf`). */
export interface WholeReading {
  add(page: PulledPage): void;
  /** Something of a page could not be stored. */
  markIncomplete(): void;
  /** After the last page; null where nothing may be concluded from the pages. */
  end(): CompleteReading | null;
}

/** Only what tells that a record is there is kept of each page. `isContinued`: the answers were not given in one go. */
export function openWholeReading(isContinued: boolean): WholeReading {
  const ranges = new Map<string, CompleteRange>();
  const records: PresentRecord[] = [];
  let version: bigint | null = null;
  let isPartial = isContinued;
  return {
    add(page) {
      if (page.quarantined.length > 0) isPartial = true;
      if (version === null || page.version < version) version = page.version;
      if (isPartial) return;
      for (const range of page.partOf ?? []) ranges.set(JSON.stringify(range), range);
      const named = (page.named ?? []).map(({ resource, id }) => ({ kind: 'summary' as const, resource, id }));
      for (const record of presentIn(page.records))
        records.push(record.kind === 'summary' ? { kind: 'summary', resource: record.resource, id: record.id } : record);
      records.push(...named);
    },
    markIncomplete() {
      isPartial = true;
    },
    end: () => (isPartial || version === null || ranges.size === 0 ? null : { version, ranges: [...ranges.values()], records }),
  };
}
