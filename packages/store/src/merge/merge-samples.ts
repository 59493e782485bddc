import { dayMs, minuteMs } from '@pulsewire/kernel';
import type { WireSample } from '@pulsewire/contract';
import type { SamplePage } from '../reads/read-grouped-samples.ts';
import type { MergeReason } from './merge-summaries.ts';
import type { RankedSource, SourceOrder } from './source-order.ts';

type Group = SamplePage['groups'][string][number];

/** A group of a merged view: samples of one source, all included for the same reason. */
export interface MergedGroup extends Group {
  readonly reason: MergeReason;
}

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

const nameOf = ({ provider, type }: RankedSource) => `${provider}/${type}`;

const spansOf = ({ kind, first, last }: Placed): string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => keyOf(kind, first + index));

/** Spans in which more than one source has samples. */
function findShared(placed: readonly Placed[]): ReadonlySet<string> {
  const seen = new Map<string, string>();
  const shared = new Set<string>();
  for (const one of placed)
    for (const key of spansOf(one)) {
      const name = nameOf(one.source);
      if ((seen.get(key) ?? name) !== name) shared.add(key);
      seen.set(key, name);
    }
  return shared;
}

/** The samples of the view, source by source: of each, those that cover no span of a better one. */
function choose(placed: readonly Placed[], order: SourceOrder): Placed[] {
  const bySource = [...Map.groupBy(placed, ({ source }) => nameOf(source)).values()];
  const ranked = bySource.toSorted(([a], [b]) => (a && b ? order(a.source, b.source) : 0));
  const taken = new Set<string>();
  return ranked.flatMap((own) => {
    const free = own.filter((one) => !spansOf(one).some((key) => taken.has(key)));
    for (const key of free.flatMap(spansOf)) taken.add(key);
    return free;
  });
}

/**
 * One view of the samples of several sources: the most preferred source, and in the spans of time that it leaves empty the next one. A sample
 * that lies partly in a span of a better source is left out, so that nothing counts twice. Returns the samples that `isWanted` selects by
 * their start; the others only compete with them.
 */
export function mergeSamples(
  resource: string,
  groups: SamplePage['groups'],
  order: SourceOrder,
  isWanted: (startMs: number) => boolean = () => true,
): MergedGroup[] {
  const spanMs = mergeSpanMs(resource);
  const placed = Object.values(groups).flatMap((own) => own.flatMap((group) => place(group, spanMs)));
  const shared = findShared(placed);
  const chosen = choose(placed, order);
  const wanted = chosen.filter(({ sample }) => isWanted(Date.parse(sample['timestamp'] as string)));
  const best = [...new Map(chosen.map(({ source }) => [nameOf(source), source])).values()].toSorted(order)[0];
  const merged = new Map<string, { readonly group: Group; readonly reason: MergeReason; readonly data: WireSample[] }>();
  for (const one of wanted) {
    const { group, source, sample } = one;
    const isBest = best !== undefined && nameOf(best) === nameOf(source);
    const isShared = spansOf(one).some((key) => shared.has(key));
    const reason: MergeReason = isShared ? 'highest_priority' : isBest ? 'only_source' : 'fills_gap';
    const name = JSON.stringify([group.source, reason]);
    const target = merged.get(name) ?? { group, reason, data: [] };
    merged.set(name, target);
    target.data.push(sample);
  }
  return [...merged.values()].map(({ group, reason, data }) => ({ source: group.source, data, reason }));
}
