import type { CanonicalRecord } from '@pulsewire/contract';
import { activitySeries, bodySeries, dayKinds, dayNumberAt, type PhoneReading, type SourceDay } from '@pulsewire/providers';
import type { ReadingPlace } from './readings.ts';

/** What has to be built again: days, weighings and meals, each once. */
export interface Touched {
  readonly days: readonly SourceDay[];
  /** The series of days that changed. */
  readonly series: ReadonlySet<string>;
  /** Resting or walking heart rates changed. */
  readonly hasReadings: boolean;
  /** A sample may have left its day, so all series of these days are read again. */
  readonly isMoved: boolean;
  readonly weighings: readonly ReadingPlace[];
  readonly meals: readonly ReadingPlace[];
}

const [ofDays, ofWeighings] = [new Set(activitySeries), new Set(bodySeries)];

/** Offsets reach from -18 to +18 hours. */
const offsetMax = 18 * 3600;

/** Collects pairs of a source and a number, each once. */
function collectPairs() {
  const bySource = new Map<string, Set<number>>();
  return {
    add(sourceType: string, number: number) {
      const known = bySource.get(sourceType);
      if (known) known.add(number);
      else bySource.set(sourceType, new Set([number]));
    },
    pairs: () => [...bySource].flatMap(([sourceType, numbers]) => [...numbers].map((number) => [sourceType, number] as const)),
  };
}

/**
 * The days, weighings and meals of these samples, removals of samples, and readings. With `isMoved`, also the days beside: a sample that was
 * sent again in another zone has left its former day.
 */
export function findTouched(records: readonly CanonicalRecord[], readings: readonly PhoneReading[], isMoved: boolean): Touched {
  const [days, weighings, meals] = [collectPairs(), collectPairs(), collectPairs()];
  const series = new Set<string>();
  for (const record of records) {
    if (record.kind === 'samples' && ofDays.has(record.resource)) {
      series.add(record.resource);
      for (const { ts, timezoneOffset } of record.samples) days.add(record.source.type, dayNumberAt(ts, timezoneOffset));
    } else if (record.kind === 'samples' && ofWeighings.has(record.resource))
      for (const { ts } of record.samples) weighings.add(record.source.type, ts);
    else if (record.kind === 'sample_removal' && ofWeighings.has(record.resource))
      for (const ts of record.ts) weighings.add(record.source.type, ts);
    else if (record.kind === 'sample_removal' && ofDays.has(record.resource)) {
      series.add(record.resource);
      // The offset of a removed sample is not known any more.
      for (const ts of record.ts) for (const offset of [-offsetMax, 0, offsetMax]) days.add(record.source.type, dayNumberAt(ts, offset));
    }
  }
  for (const { kind, sourceType, atMs, offset } of readings) {
    if (dayKinds.includes(kind)) days.add(sourceType, dayNumberAt(atMs, offset));
    else meals.add(sourceType, atMs);
  }
  if (isMoved)
    for (const [sourceType, day] of days.pairs()) {
      days.add(sourceType, day - 1);
      days.add(sourceType, day + 1);
    }
  const places = (pairs: readonly (readonly [string, number])[]) => pairs.map(([sourceType, atMs]) => ({ sourceType, atMs }));
  return {
    days: days.pairs().map(([sourceType, day]) => ({ sourceType, day })),
    series,
    hasReadings: readings.some(({ kind }) => dayKinds.includes(kind)),
    isMoved,
    weighings: places(weighings.pairs()),
    meals: places(meals.pairs()),
  };
}
