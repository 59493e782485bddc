import type { Static } from 'typebox';
import type { AllLabTestsQuery } from '@pulsewire/contract';
import type { LabTestFilter } from '@pulsewire/labs';

/** The filters of both lists of lab tests. */
export function labTestFilter(query: Static<typeof AllLabTestsQuery>): LabTestFilter {
  return {
    generation: query.generation_method,
    labSlug: query.lab_slug,
    method: query.collection_method,
    status: query.status,
    markerIds: query.marker_ids,
    providerIds: query.provider_ids,
    name: query.name,
    orderKey: query.order_key,
    direction: query.order_direction,
  };
}
