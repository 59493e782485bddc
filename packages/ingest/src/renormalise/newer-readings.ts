import { addDays } from '@pulsewire/kernel';
import type { CanonicalRecord, CompleteRange } from '@pulsewire/contract';
import type { PulledPage } from '@pulsewire/providers';
import { hidesRecords } from '../records/hides-records.ts';
import { openWholeReading } from '../run/whole-reading.ts';

type Stretch = readonly [fromMs: number, toMs: number];

/** Completely read ranges, by series or kind of summary, by source type, and for summaries by day. */
interface Held {
  readonly stretches: Map<string, readonly Stretch[]>;
  /** Ids that the newest reading of the day contained or named. */
  readonly days: Map<string, ReadonlySet<string>>;
}

export interface NewerReadings {
  /** The page without the records that newer readings show to be deleted. */
  without(connectionId: string, page: PulledPage): PulledPage;
  /** Collects the pages of a reading. Call `end` when all of them were mapped: from then on it counts as a newer reading. */
  open(connectionId: string, isContinued: boolean): { add(page: PulledPage): void; end(): void };
}

/** Adds one range and merges overlapping ones, so that the result is disjoint. */
function joined(stretches: readonly Stretch[], [fromMs, toMs]: Stretch): readonly Stretch[] {
  const touching = stretches.filter(([from, to]) => from <= toMs && to >= fromMs);
  const apart = stretches.filter((stretch) => !touching.includes(stretch));
  return [...apart, [Math.min(fromMs, ...touching.map(([from]) => from)), Math.max(toMs, ...touching.map(([, to]) => to))]];
}

const seriesKey = (resource: string, subKind: string | undefined, type: string) => `${resource} ${subKind ?? ''} ${type}`;
const dayKey = (resource: string, type: string, day: string) => `${resource} ${type} ${day}`;

function note({ stretches, days }: Held, ranges: readonly CompleteRange[], ids: ReadonlySet<string>): void {
  for (const range of ranges)
    for (const type of range.sourceTypes) {
      if (range.kind === 'samples') {
        const key = seriesKey(range.resource, range.subKind, type);
        stretches.set(key, joined(stretches.get(key) ?? [], [range.fromMs, range.toMs]));
        continue;
      }
      for (let day = range.startDate; day <= range.endDate; day = addDays(day, 1)) {
        const key = dayKey(range.resource, type, day);
        if (!days.has(key)) days.set(key, ids);
      }
    }
}

/**
 * In a range that a newer reading covers completely, older readings add nothing, neither new records nor those that it no longer contained.
 */
function left({ stretches, days }: Held, record: CanonicalRecord): CanonicalRecord[] {
  if (record.kind === 'summary') {
    const ids = days.get(dayKey(record.resource, record.source.type, record.calendarDate ?? ''));
    return ids && !ids.has(record.id) ? [] : [record];
  }
  if (record.kind !== 'samples') return [record];
  const held = stretches.get(seriesKey(record.resource, record.subKind, record.source.type));
  if (!held) return [record];
  const samples = record.samples.filter(({ ts }) => !held.some(([fromMs, toMs]) => ts >= fromMs && ts < toMs));
  return samples.length === record.samples.length ? [record] : [{ ...record, samples }];
}

const idsOf = (pages: readonly Pick<PulledPage, 'records' | 'named'>[]) =>
  new Set(
    pages.flatMap(({ records, named = [] }) => [
      ...records.flatMap((one) => (one.kind === 'summary' ? [one.id] : [])),
      ...named.map(({ id }) => id),
    ]),
  );

/**
 * The ranges that the newer readings, which are mapped again first, cover completely. An item that could not be mapped when it was read
 * left no trace in the store, so the store does not show that the provider deleted it later. The newer readings do.
 */
export function openNewerReadings(): NewerReadings {
  const byConnection = new Map<string, Held>();
  const heldOf = (connectionId: string): Held => {
    const held = byConnection.get(connectionId) ?? { stretches: new Map(), days: new Map() };
    byConnection.set(connectionId, held);
    return held;
  };
  return {
    without(connectionId, page) {
      const held = byConnection.get(connectionId);
      if (!held) return page;
      const records = page.records.flatMap((record) => left(held, record));
      const kept = new Set(records.flatMap((record) => (record.kind === 'summary' ? [record.id] : [])));
      const gone = new Set(page.records.flatMap((record) => (record.kind === 'summary' && !kept.has(record.id) ? [record.id] : [])));
      return { ...page, records: records.filter((record) => record.kind !== 'stream' || !gone.has(record.workoutId)) };
    },
    open(connectionId, isContinued) {
      const whole = openWholeReading(isContinued);
      const alone: { readonly ranges: readonly CompleteRange[]; readonly ids: ReadonlySet<string> }[] = [];
      return {
        add(page) {
          whole.add(page);
          const { allOf: ranges = [], quarantined } = page;
          // Same rule as when it was stored: a record that seems missing may be in a part that cannot be read.
          if (ranges.length > 0 && !hidesRecords(quarantined) && !isContinued) alone.push({ ranges, ids: idsOf([page]) });
        },
        end() {
          const held = heldOf(connectionId);
          for (const { ranges, ids } of alone) note(held, ranges, ids);
          const complete = whole.end();
          if (complete)
            note(held, complete.ranges, new Set(complete.records.flatMap((record) => (record.kind === 'summary' ? [record.id] : []))));
        },
      };
    },
  };
}
