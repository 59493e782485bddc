/** A value of a point. Each has an empty list for maps, whatever it holds; a field without a value holds only this list. */
export interface Value {
  readonly intVal?: number;
  readonly fpVal?: number;
  readonly stringVal?: string;
  readonly mapVal: readonly { readonly key: string; readonly value: { readonly fpVal: number } }[];
}

/** A point before it is rendered. Times are ms since the epoch, equal for a single instant. */
export interface Point {
  readonly startMs: number;
  readonly endMs: number;
  /** Where it was measured; merged streams keep it. */
  readonly origin: string;
  readonly modifiedMs: number;
  readonly value: readonly Value[];
}

export const int = (value: number): Value => ({ intVal: Math.round(value), mapVal: [] });
export const fp = (value: number): Value => ({ fpVal: value, mapVal: [] });
export const text = (value: string): Value => ({ stringVal: value, mapVal: [] });
export const none: Value = { mapVal: [] };
export const map = (entries: Readonly<Record<string, number>>): Value => ({
  mapVal: Object.entries(entries).map(([key, value]) => ({ key, value: { fpVal: value } })),
});

/** Nanoseconds since the epoch as text of 19 digits, more than a double holds. A single instant is not on a full millisecond. */
const nanos = (ms: number, isInstant: boolean) => `${ms}${isInstant ? '012345' : '000000'}`;

/** As in responses. Aggregated points have no time of modification. */
export function rendered({ startMs, endMs, origin, modifiedMs, value }: Point, dataTypeName: string, isAggregated = false): object {
  const isInstant = startMs === endMs && !isAggregated;
  return {
    startTimeNanos: nanos(startMs, isInstant),
    endTimeNanos: nanos(endMs, isInstant),
    dataTypeName,
    originDataSourceId: origin,
    value,
    ...(!isAggregated && { modifiedTimeMillis: String(modifiedMs) }),
  };
}
