import type { SampleGroup } from '@pulsewire/contract';
import { type RecordMaker, recordMakersOf } from '../kit/records/record-maker.ts';
import { namesIn } from '../kit/records/complete-ranges.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import type { MappedRecords, ProviderResponse, PulledPage, SummaryName } from '../kit/types/connector.ts';

export const ouraSlug = 'oura';
/** `source_id` on the wire. */
export const ouraSourceId = 1;
/** The source of all of Oura's data except what the user typed in. */
export const ring = 'ring';
export const app = 'app';

/** What mappers get beside the response. */
export type OuraContext = RecordMaker;

export const createContext = recordMakersOf(ouraSlug);

export function pageOf(response: ProviderResponse, mapped: MappedRecords): PulledPage {
  return { version: response.version, records: mapped.records, quarantined: mapped.quarantined };
}

/** The summaries that correspond to the documents of a response, on any day. */
export function namedIn({ body }: ProviderResponse, context: OuraContext, ...resources: string[]): SummaryName[] {
  return namesIn(new JsonNode(body).at('data'), 'id', ring, context, ...resources);
}

/** Samples of the ring, as one group or none. */
export function ringSamples(context: OuraContext, resource: string, samples: SampleGroup['samples']): SampleGroup[] {
  return context.samples(resource, ring, samples);
}

/** The object id that a push passes to the pulls: data type and document id. */
export function objectIdOf(dataType: string, documentId: string): string {
  return `${dataType}/${documentId}`;
}

export function documentIdOf(objectId: string): string {
  return objectId.slice(objectId.indexOf('/') + 1);
}

export function dataTypeOf(objectId: string): string {
  return objectId.slice(0, Math.max(0, objectId.indexOf('/')));
}
