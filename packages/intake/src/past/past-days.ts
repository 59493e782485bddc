import type { Database } from '@pulsewire/database';
import { activityId, activitySeries, dayNumberAt, type SourceDay } from '@pulsewire/providers';
import { findSummaries, readSourceExtents } from '@pulsewire/store';
import type { PhoneOwner } from '../model/phone-owner.ts';
import { nothingTouched, writeMissing } from './write-missing.ts';

const daysPerWindow = 31;
/** Offsets reach from -18 to +18 hours. */
const offsetMax = 18 * 3600;

interface SourceDays {
  readonly sourceType: string;
  readonly first: number;
  readonly last: number;
}

/** The days of sources between two days, both inclusive. */
function daysBetween(sources: readonly SourceDays[], fromDay: number, toDay: number): SourceDay[] {
  return sources.flatMap(({ sourceType, first, last }) => {
    const start = Math.max(first, fromDay);
    const count = Math.max(0, Math.min(last, toDay) - start + 1);
    return Array.from({ length: count }, (_, index) => ({ sourceType, day: start + index }));
  });
}

/** Builds the activity of all days without one between the first and the last sample of each source; returns how many were created. */
export async function buildPastDays(database: Database, owner: PhoneOwner): Promise<number> {
  const extents = await readSourceExtents(database, { ...owner, resources: activitySeries });
  const sources = extents.map(({ sourceType, oldestMs, newestMs }) => ({
    sourceType,
    first: dayNumberAt(oldestMs, -offsetMax),
    last: dayNumberAt(newestMs, offsetMax),
  }));
  const first = sources.reduce((least, source) => Math.min(least, source.first), Number.POSITIVE_INFINITY);
  const last = sources.reduce((most, source) => Math.max(most, source.last), Number.NEGATIVE_INFINITY);
  let created = 0;
  for (let day = first; day <= last; day += daysPerWindow) {
    const days = daysBetween(sources, day, day + daysPerWindow - 1);
    created += await writeMissing(database, owner, async (tx) => {
      const known = await findSummaries(
        tx,
        owner,
        days.map((one) => activityId(owner, one)),
      );
      return { ...nothingTouched, days: days.filter((one) => !known.has(activityId(owner, one))) };
    });
  }
  return created;
}
