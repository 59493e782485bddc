/** The beginning of a local day: the day (`YYYY-MM-DD`) and its first instant, ms since the epoch. */
export interface DayStart {
  readonly day: string;
  readonly ms: number;
}

/** Days that are read from the successor; `to` is exclusive, null: they go on. */
export interface Span {
  readonly from: DayStart;
  readonly to: DayStart | null;
}

/** The successor's days by resource, in order; all others are read from the ending provider. null: not compared yet. */
export type ResourceDays = Readonly<Record<string, readonly Span[] | null>>;

/** Earlier than any data. */
export const ever: DayStart = { day: '1970-01-01', ms: 0 };

export const isOpen = (spans: readonly Span[] | null | undefined): boolean => spans?.at(-1)?.to === null;

/** The successor's days with those from `start` on, but none that were given back before. */
export function openedAt(spans: readonly Span[], start: DayStart): readonly Span[] {
  const last = spans.at(-1)?.to ?? null;
  return [...spans, { from: last !== null && last.day > start.day ? last : start, to: null }];
}

/** Of the successor's days those before `end`; what was closed before stays. */
export const endedAt = (spans: readonly Span[], end: DayStart): readonly Span[] =>
  spans.flatMap((span) => (span.to !== null ? [span] : span.from.day >= end.day ? [] : [{ ...span, to: end }]));

/** The successor's days when nothing more is read from it, and `end` is the first day that it did not read. */
export function closedAt(days: ResourceDays, end: DayStart): ResourceDays {
  return Object.fromEntries(Object.entries(days).map(([resource, spans]) => [resource, spans && endedAt(spans, end)]));
}
