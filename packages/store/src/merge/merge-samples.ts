import type { WireSample } from '@pulsewire/contract';
import type { SamplePage } from '../reads/read-grouped-samples.ts';
import type { MergeReason } from './merge-summaries.ts';
import type { RankedSource, SourceOrder } from './source-order.ts';

type Group = SamplePage['groups'][string][number];

/** A group of a merged view: samples of one source, all included for the same reason. */
export interface MergedGroup extends Group {
  readonly reason: MergeReason;
}

const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;

/** Measured a few times a day at most, so one source is used for each day. */
const rare: ReadonlySet<string> = new Set([
  'weight',
  'fat',
  'body_mass_index',
  'lean_body_mass',
  'waist_circumference',
  'vo2_max',
  'basal_body_temperature',
]);

/** The span for which one source is used. Two sources within one span are assumed to have measured the same thing. */
export const mergeSpanMs = (resource: string): number => (rare.has(resource) ? dayMs : 15 * minuteMs);

interface Placed {
  readonly group: Group;
  readonly source: RankedSource;
  readonly sample: WireSample;
  /** Sub-kinds of a series, such as LDL and HDL, are merged separately. */
  readonly kind: string;
  readonly first: number;
  readonly last: number;
}

const keyOf = (kind: string, span: number) => `${span} ${kind}`;

function place(group: Group, spanMs: number): Placed[] {
  return group.data.map((sample) => {
    const startMs = Date.parse(sample['timestamp'] as string);
    const endMs = sample['end'] === undefined ? startMs : Date.parse(sample['end'] as string);
    const last = Math.floor(Math.max(startMs, endMs - 1) / spanMs);
    // A sample of more than a day covers its first day.
    const first = Math.floor(startMs / spanMs);
    return {
      group,
      source: group.source,
      sample,
      kind: (sample['type'] as string | null) ?? '',
      first,
      last: Math.min(last, first + dayMs / spanMs),
    };
  });
}

/** One view of the samples of several sources: each span of time contains the samples of the most preferred source that has any in it. */
export function mergeSamples(resource: string, groups: SamplePage['groups'], order: SourceOrder): MergedGroup[] {
  const spanMs = mergeSpanMs(resource);
  const placed = Object.values(groups).flatMap((own) => own.flatMap((group) => place(group, spanMs)));
  const winners = new Map<string, RankedSource>();
  const shared = new Set<string>();
  for (const { source, kind, first, last } of placed) {
    for (let span = first; span <= last; span += 1) {
      const key = keyOf(kind, span);
      const known = winners.get(key);
      if (known && (known.provider !== source.provider || known.type !== source.type)) shared.add(key);
      if (!known || order(source, known) < 0) winners.set(key, source);
    }
  }
  const best = [...winners.values()].toSorted(order)[0];
  const merged = new Map<string, { readonly group: Group; readonly reason: MergeReason; readonly data: WireSample[] }>();
  for (const { group, source, sample, kind, first, last } of placed) {
    const key = keyOf(kind, first);
    const winner = winners.get(key);
    if (winner?.provider !== source.provider || winner.type !== source.type) continue;
    const isBest = best?.provider === source.provider && best.type === source.type;
    const isShared = Array.from({ length: last - first + 1 }, (_, index) => first + index).some((span) => shared.has(keyOf(kind, span)));
    const reason: MergeReason = isShared ? 'highest_priority' : isBest ? 'only_source' : 'fills_gap';
    const name = JSON.stringify([group.source, reason]);
    const target = merged.get(name) ?? { group, reason, data: [] };
    merged.set(name, target);
    target.data.push(sample);
  }
  return [...merged.values()].map(({ group, reason, data }) => ({ source: group.source, data, reason }));
}
