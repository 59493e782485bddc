/** The beginning of a local day: the day (`YYYY-MM-DD`) and its first instant, ms since the epoch. */
export interface DayStart {
  readonly day: string;
  readonly ms: number;
}

/** Days that are read from the successor; `to` is exclusive, null: they go on. */
export interface Span {
  readonly from: DayStart;
  readonly to: DayStart | null;
  /** Of days that go on, when the ending provider has taken single ones of them since: the first when they were handed over. */
  readonly opened?: string;
}

/** The successor's days by resource, in order; all others are read from the ending provider. null: not compared yet. */
export type ResourceDays = Readonly<Record<string, readonly Span[] | null>>;

/** Earlier than any data. */
export const ever: DayStart = { day: '1970-01-01', ms: 0 };

export const isOpen = (spans: readonly Span[] | null | undefined): boolean => spans?.at(-1)?.to === null;

/** The day from which a resource was handed over that is read from the successor now; null: it is not. */
export function openedOn(spans: readonly Span[] | null | undefined): string | null {
  const last = spans?.at(-1);
  return last?.to === null ? (last.opened ?? last.from.day) : null;
}

/** The days of both lists, in order and without overlaps. */
export function joined(spans: readonly Span[], more: readonly Span[]): readonly Span[] {
  const result: Span[] = [];
  for (const span of [...spans, ...more].toSorted((a, b) => a.from.ms - b.from.ms)) {
    const last = result.at(-1);
    if (!last || (last.to !== null && last.to.ms < span.from.ms)) result.push(span);
    else if (last.to !== null && (span.to === null || span.to.ms > last.to.ms)) result[result.length - 1] = { ...span, from: last.from };
  }
  return result;
}

/** The days of the first list that are not in the second, whose spans have an end. */
export function without(spans: readonly Span[], gone: readonly Span[]): readonly Span[] {
  return gone.reduce<readonly Span[]>(
    (left, { from, to }) =>
      left.flatMap((span) => {
        if (to === null || to.ms <= span.from.ms || (span.to !== null && span.to.ms <= from.ms)) return [span];
        const before = span.from.ms < from.ms ? [{ from: span.from, to: from }] : [];
        const opened = span.to === null ? { opened: span.opened ?? span.from.day } : {};
        const after = span.to === null || span.to.ms > to.ms ? [{ from: to, to: span.to, ...opened }] : [];
        return [...before, ...after];
      }),
    spans,
  );
}

/** The successor's days with all from `start` on. */
export const openedAt = (spans: readonly Span[], start: DayStart): readonly Span[] => joined(spans, [{ from: start, to: null }]);

/** Of the successor's days those before `end`. */
export const endedAt = (spans: readonly Span[], end: DayStart): readonly Span[] =>
  spans.flatMap(({ from, to }) => (from.day >= end.day ? [] : [{ from, to: to !== null && to.day < end.day ? to : end }]));
