import type { Summary } from '@pulsewire/contract';
import { createRecordMaker } from '../../kit/records/record-maker.ts';
import { joinStages, sleepRecords } from '../../kit/records/sleep-records.ts';
import { dayAt } from '../read-item.ts';
import type { PhoneProvider, SleepSegment } from '../types.ts';

/** A pause of this length ends a night. */
export const nightGapMs = 120 * 60_000;

/** Segments of one source, in any order, by night. */
export function splitNights(segments: readonly SleepSegment[]): SleepSegment[][] {
  const nights: SleepSegment[][] = [];
  let endMs = Number.NEGATIVE_INFINITY;
  for (const segment of segments.toSorted((a, b) => a.startMs - b.startMs || a.endMs - b.endMs || (a.stage < b.stage ? -1 : 1))) {
    if (segment.startMs - endMs > nightGapMs) nights.push([]);
    nights.at(-1)?.push(segment);
    endMs = Math.max(endMs, segment.endMs);
  }
  return nights;
}

// Sleep without detail counts as light, as with other providers that only distinguish asleep from awake.
const codes: Readonly<Record<string, number>> = { deep: 1, light: 2, sleeping: 2, rem: 3, awake: 4 };

/** Where parts overlap, as when two apps read one night, the one that began later holds, and detail before none. */
function withoutOverlaps(segments: readonly SleepSegment[]): SleepSegment[] {
  const hasDetail = segments.some(({ stage }) => ['light', 'deep', 'rem'].includes(stage));
  const own = segments.filter(({ stage }) => stage !== 'in_bed' && !(hasDetail && stage === 'sleeping'));
  const apart: SleepSegment[] = [];
  for (const segment of own) {
    const last = apart.at(-1);
    if (last && last.endMs > segment.startMs) {
      if (last.startMs === segment.startMs) apart.pop();
      else apart[apart.length - 1] = { ...last, endMs: segment.startMs };
    }
    apart.push(segment);
  }
  return apart;
}

export interface NightOwner {
  readonly userId: string;
  readonly provider: PhoneProvider;
}

/** Sleep and sleep cycle of a night, whose identity is app and start; only time in bed is no sleep. */
export function nightRecords({ userId, provider }: NightOwner, night: readonly SleepSegment[]): Summary[] {
  const [first] = night;
  const parts = withoutOverlaps(night);
  if (!first || parts.length === 0) return [];
  const maker = createRecordMaker(provider, { userId, fallbackTimeZone: null, providerUserId: '', grantedScopes: [], account: {} });
  const endMs = night.reduce((latest, segment) => Math.max(latest, segment.endMs), first.endMs);
  const offset = night.find((segment) => segment.offset !== null)?.offset ?? null;
  const stages = joinStages(parts.map((part) => ({ code: codes[part.stage] ?? -1, startMs: part.startMs, endMs: part.endMs })));
  const score = night.find((segment) => segment.score !== null)?.score ?? null;
  const records = sleepRecords(maker, {
    externalId: `${first.appId}|${new Date(first.startMs).toISOString()}`,
    sourceType: first.sourceType,
    day: dayAt(endMs, offset),
    startMs: first.startMs,
    endMs,
    offset,
    stages,
    data: { score },
  });
  const source = { provider, type: first.sourceType, appId: first.appId || null, deviceId: null };
  return records.map((record) => ({ ...record, source }));
}
