import { dayMs } from '@pulsewire/kernel';
import type { WireSummary } from '@pulsewire/contract';
import type { TimedSummary } from '../reads/read-summaries.ts';
import type { RankedSource, SourceOrder } from './source-order.ts';

/** The reason why values of a source are in a merged view. */
export type MergeReason = 'only_source' | 'highest_priority' | 'fills_gap';

/** The fields of a merged summary that are from one of its sources. */
export interface MergedPart extends RankedSource {
  readonly id: string;
  readonly reason: MergeReason;
  readonly fields: readonly string[];
}

export interface MergedSummary {
  readonly summary: WireSummary;
  readonly parts: readonly MergedPart[];
}

/** Weighings of two sources that are at most this far apart are one: a scale reports to several services within minutes. */
const weighingToleranceMs = 30 * 60_000;

/** Fields that identify a summary rather than being measured. */
const identity =
  /^(?:id|user_id|source.*|created_at|updated_at|date|calendar_date|provider_id|priority_id|bedtime_start|bedtime_stop|time_start|time_end|session_start|session_end|period_start|timestamp|sport|title|sleep_id|type)$/;
const isEmpty = (value: unknown) => value === null || value === undefined || (Array.isArray(value) && value.length === 0);

interface Entry {
  readonly summary: WireSummary;
  readonly source: RankedSource;
  readonly startMs: number;
  readonly endMs: number;
}

function entryOf(resource: string, { summary, atMs }: TimedSummary): Entry {
  if (resource === 'body') return { summary, source: summary['source'] as RankedSource, startMs: atMs, endMs: atMs };
  const ms = (...keys: string[]) => Date.parse(keys.map((key) => summary[key]).find((value) => typeof value === 'string') ?? '');
  const isDay = resource === 'activity';
  const startMs = isDay ? ms('calendar_date') : ms('bedtime_start', 'time_start', 'session_start', 'period_start', 'timestamp');
  const endMs = isDay ? startMs + dayMs : ms('bedtime_stop', 'time_end', 'session_end', 'period_end', 'period_start', 'timestamp');
  return { summary, source: summary['source'] as RankedSource, startMs, endMs };
}

const isSameSource = (a: RankedSource, b: RankedSource) => a.provider === b.provider && a.type === b.type;

/**
 * Whether summaries of two sources describe the same event: they overlap by at least half of the shorter one, or began at the same instant.
 */
function isSame(a: Entry, b: Entry): boolean {
  const shared = Math.min(a.endMs, b.endMs) - Math.max(a.startMs, b.startMs);
  const shorter = Math.min(a.endMs - a.startMs, b.endMs - b.startMs);
  return a.startMs === b.startMs || (shorter > 0 && shared * 2 >= shorter);
}

interface Draft extends Entry {
  summary: WireSummary;
  readonly parts: MergedPart[];
}

const partOf = ({ summary, source }: Entry, reason: MergeReason, fields: readonly string[]): MergedPart => ({
  id: summary['id'] as string,
  provider: source.provider,
  type: source.type,
  reason,
  fields,
});

function fillGaps(draft: Draft, next: Entry): void {
  const fields = Object.keys(next.summary).filter(
    (key) => !identity.test(key) && isEmpty(draft.summary[key]) && !isEmpty(next.summary[key]),
  );
  draft.summary = { ...draft.summary, ...Object.fromEntries(fields.map((key) => [key, next.summary[key]])) };
  const [first, ...others] = draft.parts;
  if (first)
    draft.parts.splice(0, draft.parts.length, { ...first, reason: 'highest_priority' }, ...others, partOf(next, 'fills_gap', fields));
}

const draftOf = (entry: Entry): Draft => {
  const fields = Object.keys(entry.summary).filter((key) => !identity.test(key) && !isEmpty(entry.summary[key]));
  return { ...entry, parts: [partOf(entry, 'only_source', fields)] };
};

const takes = ({ parts }: Draft, { source }: Entry) => !parts.some((part) => isSameSource(part, source));

/** Pairs each source's weighings with those known by time, the nearest first: another weighing of one source shifts no other pair. */
function mergeWeighings(entries: readonly Entry[]): Draft[] {
  const drafts: Draft[] = [];
  for (const own of Map.groupBy(entries, ({ source }) => `${source.provider} ${source.type}`).values()) {
    const pairs = own.flatMap((entry) =>
      drafts.flatMap((draft) => {
        const apartMs = Math.abs(entry.startMs - draft.startMs);
        const isSameDay = entry.summary['calendar_date'] === draft.summary['calendar_date'];
        return isSameDay && apartMs <= weighingToleranceMs ? [{ entry, draft, apartMs }] : [];
      }),
    );
    const paired = new Set<Entry>();
    for (const { entry, draft } of pairs.toSorted((a, b) => a.apartMs - b.apartMs)) {
      if (paired.has(entry) || !takes(draft, entry)) continue;
      fillGaps(draft, entry);
      paired.add(entry);
    }
    drafts.push(...own.filter((entry) => !paired.has(entry)).map(draftOf));
  }
  return drafts;
}

function mergeEvents(entries: readonly Entry[]): Draft[] {
  const drafts: Draft[] = [];
  for (const entry of entries) {
    const known = drafts.find((draft) => isSame(draft, entry) && takes(draft, entry));
    if (known) fillGaps(known, entry);
    else drafts.push(draftOf(entry));
  }
  return drafts;
}

/**
 * One view of the summaries of several sources of the same days, nights, workouts or weighings: the preferred source's summary, with empty
 * fields filled from the next source. Summaries of one source are never merged: two workouts of a watch stay two. In order of time.
 */
export function mergeSummaries(resource: string, summaries: readonly TimedSummary[], order: SourceOrder): MergedSummary[] {
  const entries = summaries.map((summary) => entryOf(resource, summary));
  const ranked = entries.toSorted((a, b) => order(a.source, b.source) || a.startMs - b.startMs);
  const drafts = resource === 'body' ? mergeWeighings(ranked) : mergeEvents(ranked);
  return drafts.toSorted((a, b) => a.startMs - b.startMs).map(({ summary, parts }) => ({ summary, parts }));
}
