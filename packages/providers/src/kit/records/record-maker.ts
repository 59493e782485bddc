import type { OffsetOrigin, Sample, SampleGroup, SampleRemoval, SourceRef, Summary, SummaryRemoval } from '@pulsewire/contract';
import type { JsonNode } from '../values/json-node.ts';
import { summaryId } from '../values/ids.ts';
import type { PullUser } from '../types/connector.ts';
import { createZoneFinder } from '../time/zone-history.ts';
import type { Zone } from '../time/zone.ts';

export interface SummaryParts {
  readonly resource: string;
  /** Kind of the source. Taken from the record, never from the current list of devices, because it is part of the sample's identity. */
  readonly sourceType: string;
  /** The provider's own id of the record, or its local day where it has none. */
  readonly externalId: string;
  readonly calendarDate: string | null;
  /** ms since the epoch. */
  readonly at: number;
  readonly data: Summary['data'];
  readonly offsetFrom?: OffsetOrigin | undefined;
  /** The part of the response that describes the record; its raw form. */
  readonly raw?: JsonNode | undefined;
}

/** Builds one user's records for one provider. */
export interface RecordMaker {
  readonly provider: string;
  readonly user: PullUser;
  /** The user's time zone on a local day, for providers that send bare wall clocks. */
  zoneOn(day: string): Zone;
  sourceOf(sourceType: string): SourceRef;
  idOf(resource: string, sourceType: string, externalId: string): string;
  summary(parts: SummaryParts): Summary;
  removal(parts: Pick<SummaryParts, 'resource' | 'sourceType' | 'externalId'>): SummaryRemoval;
  /** The samples as one group; no group when there are none. */
  samples(resource: string, sourceType: string, samples: readonly Sample[], subKind?: string): SampleGroup[];
  sampleRemoval(resource: string, sourceType: string, ts: readonly number[], subKind?: string): SampleRemoval;
}

/** Create one per pull: it opens each time zone only once. */
export function createRecordMaker(provider: string, user: PullUser): RecordMaker {
  const zoneOn = createZoneFinder(user.account, user.fallbackTimeZone);
  const sourceOf = (type: string): SourceRef => ({ provider, type, appId: null, deviceId: null });
  const idOf = (resource: string, sourceType: string, externalId: string) =>
    summaryId({ userId: user.userId, provider, sourceType, resource, externalId });
  const kindOf = (subKind: string | undefined) => (subKind === undefined ? {} : { subKind });
  return {
    provider,
    user,
    zoneOn,
    sourceOf,
    idOf,
    summary: ({ resource, sourceType, externalId, calendarDate, at, data, offsetFrom, raw }) => ({
      kind: 'summary',
      id: idOf(resource, sourceType, externalId),
      resource,
      source: sourceOf(sourceType),
      calendarDate,
      at,
      data,
      ...(offsetFrom && { offsetFrom }),
      ...(raw && { raw: { externalId, data: raw.value } }),
    }),
    removal: ({ resource, sourceType, externalId }) => ({ kind: 'summary_removal', resource, id: idOf(resource, sourceType, externalId) }),
    samples: (resource, sourceType, samples, subKind) =>
      samples.length === 0 ? [] : [{ kind: 'samples', resource, ...kindOf(subKind), source: sourceOf(sourceType), samples }],
    sampleRemoval: (resource, sourceType, ts, subKind) => ({
      kind: 'sample_removal',
      resource,
      ...kindOf(subKind),
      source: sourceOf(sourceType),
      ts,
    }),
  };
}

/** Creates the record makers of one provider. */
export const recordMakersOf =
  (provider: string) =>
  (user: PullUser): RecordMaker =>
    createRecordMaker(provider, user);
