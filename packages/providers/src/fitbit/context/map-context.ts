import type { CanonicalRecord, CompleteRange, Quarantined, SampleGroup, SourceRef } from '@pulsewire/contract';
import { summaryId } from '../../kit/values/ids.ts';
import type { ProviderResponse, PulledPage, PullUser } from '../../kit/types/connector.ts';
import { createZoneFinder } from '../../kit/time/zone-history.ts';
import type { Zone } from '../../kit/time/zone.ts';
import { syncedUntil } from './last-sync.ts';

export const fitbitSlug = 'fitbit';
/** `source_id` on the wire. */
export const fitbitSourceId = 3;

/** Passed to every mapper with the response. */
export interface MapContext {
  readonly userId: string;
  /** `YYYY-MM-DD`, from which the maximum heart rate is estimated. */
  readonly birthDate: string | null;
  /** The zone of the user's clocks on a local day. */
  zoneOn(day: string): Zone;
  /** ms since the epoch; later minutes in Fitbit's responses are placeholders. Null when no tracker is known. */
  readonly syncedUntilMs: number | null;
}

/** The result of every mapper. */
export interface Mapped {
  readonly records: readonly CanonicalRecord[];
  readonly quarantined: readonly Quarantined[];
  /** The ranges that the response covers completely. */
  readonly allOf?: readonly CompleteRange[];
}

/** One context per pull: it opens each time zone once. */
export function createMapContext(user: PullUser): MapContext {
  return {
    userId: user.userId,
    birthDate: user.birthDate ?? null,
    zoneOn: createZoneFinder(user.account, user.fallbackTimeZone),
    syncedUntilMs: syncedUntil(user.account, user.fallbackTimeZone),
  };
}

/** True when no tracker had uploaded anything of this day when the account was read: its totals are placeholders then. */
export function isUnsynced(context: MapContext, day: string): boolean {
  return context.syncedUntilMs !== null && context.zoneOn(day).startOfDay(day).ms >= context.syncedUntilMs;
}

/**
 * The source of a record. Its type is part of the identity of samples, so it comes from the record itself and never from the current
 * list of devices: a scale bought tomorrow must not create a second identity for yesterday's steps.
 */
export function sourceOf(type: 'watch' | 'scale' | 'app'): SourceRef {
  return { provider: fitbitSlug, type, appId: null, deviceId: null };
}

/** The id of a summary of this user. */
export function fitbitSummaryId(context: MapContext, source: SourceRef, resource: string, externalId: string): string {
  return summaryId({ userId: context.userId, provider: fitbitSlug, sourceType: source.type, resource, externalId });
}

/** The samples as one group; no group when there are none. */
export function groupOf(resource: string, type: 'watch' | 'scale' | 'app', samples: SampleGroup['samples']): SampleGroup[] {
  return samples.length === 0 ? [] : [{ kind: 'samples', resource, source: sourceOf(type), samples }];
}

export function pageOf(response: ProviderResponse, mapped: Mapped): PulledPage {
  const { records, quarantined, allOf = [] } = mapped;
  return { version: response.version, records, quarantined, allOf };
}
