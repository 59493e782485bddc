import type { OrderSet } from '@pulsewire/labs';

/** The order set of a body, in the terms of the labs package. */
export function readOrderSet(body: {
  readonly lab_test_ids?: readonly string[] | null;
  readonly add_on?: { readonly marker_ids?: readonly number[] | null; readonly provider_ids?: readonly string[] | null } | null;
}): OrderSet {
  const { lab_test_ids: labTestIds, add_on: addOn } = body;
  return {
    labTestIds: [...new Set(labTestIds ?? [])],
    addOn: addOn ? { markerIds: addOn.marker_ids ?? null, providerIds: addOn.provider_ids ?? null } : null,
  };
}
