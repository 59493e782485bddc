import type { CanonicalRecord, CompleteRange, Quarantined, SampleGroup, SourceRef } from '@pulsewire/contract';
import { summaryId } from '../../kit/values/ids.ts';
import type { ProviderAnswer, PulledPage, PullUser } from '../../kit/types/connector.ts';
import { createZoneFinder } from '../../kit/time/zone-history.ts';
import type { Zone } from '../../kit/time/zone.ts';
import { syncedUntil } from './last-sync.ts';

export const fitbitSlug = 'fitbit';
/** `source_id` on the wire. */
export const fitbitSourceId = 3;

/** What every mapper gets beside the answer. */
export interface MapContext {
  readonly userId: string;
  /** The zone in which the user's clocks stood on a local day. */
  zoneOn(day: string): Zone;
  /** ms since the epoch; what Fitbit tells of later minutes is a filling. Null when no tracker is known. */
  readonly syncedUntilMs: number | null;
}

/** What every mapper gives. */
export interface Mapped {
  readonly records: readonly CanonicalRecord[];
  readonly quarantined: readonly Quarantined[];
  /** What the answer holds all of. */
  readonly allOf?: readonly CompleteRange[];
}

/** One context per pull: it opens each time zone once. */
export function createMapContext(user: PullUser): MapContext {
  return {
    userId: user.userId,
    zoneOn: createZoneFinder(user.account, user.fallbackTimeZone),
    syncedUntilMs: syncedUntil(user.account, user.fallbackTimeZone),
  };
}

/** Whether no tracker had handed over anything of this day when the account was read: its totals are a filling then. */
export function isUnsynced(context: MapContext, day: string): boolean {
  return context.syncedUntilMs !== null && context.zoneOn(day).startOfDay(day).ms >= context.syncedUntilMs;
}

/**
 * The source of a record. Its type is part of the identity of samples, so it comes from the record itself and never
 * from today's list of devices: a scale bought tomorrow must not give yesterday's steps a second identity.
 */
export function sourceOf(type: 'watch' | 'scale' | 'app'): SourceRef {
  return { provider: fitbitSlug, type, appId: null, deviceId: null };
}

/** The id of a summary of this user. */
export function fitbitSummaryId(context: MapContext, source: SourceRef, resource: string, externalId: string): string {
  return summaryId({ userId: context.userId, provider: fitbitSlug, sourceType: source.type, resource, externalId });
}

/** The samples as one group, or no group where there are none. */
export function groupOf(resource: string, type: 'watch' | 'scale' | 'app', samples: SampleGroup['samples']): SampleGroup[] {
  return samples.length === 0 ? [] : [{ kind: 'samples', resource, source: sourceOf(type), samples }];
}

export function pageOf(answer: ProviderAnswer, mapped: Mapped): PulledPage {
  const { records, quarantined, allOf = [] } = mapped;
  return { version: answer.version, records, quarantined, allOf };
}
