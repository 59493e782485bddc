import type { Executor } from '@pulsewire/database';
import { refused } from '../model/errors.ts';
import { findLabTests, type LabTest } from './lab-tests.ts';
import { findMarkers, type MarkerRow } from './markers.ts';

export interface OrderSet {
  readonly labTestIds: readonly string[];
  readonly addOn: { readonly markerIds: readonly number[] | null; readonly providerIds: readonly string[] | null } | null;
  /** The add-on becomes a lab test, which may contain markers that cannot be ordered by themselves. */
  readonly isLabTest?: boolean;
}

export interface ResolvedSet {
  readonly labId: number;
  readonly tests: readonly LabTest[];
  /** Markers of the tests and the add-on, without duplicates. */
  readonly markers: readonly MarkerRow[];
  readonly hasAddOn: boolean;
}

function assertAddOn({ addOn }: OrderSet): void {
  if (addOn === null) return;
  const [ids, codes] = [addOn.markerIds?.length ?? 0, addOn.providerIds?.length ?? 0];
  if (ids === 0 && codes === 0) throw refused('add_on_empty', 'add_on requires marker_ids or provider_ids');
  if (ids > 0 && codes > 0) throw refused('add_on_ambiguous', 'add_on accepts either marker_ids or provider_ids, not both');
}

async function addOnMarkers(executor: Executor, { addOn, isLabTest }: OrderSet, labId: number | null): Promise<readonly MarkerRow[]> {
  if (addOn === null) return [];
  const [markerIds, providerIds] = [addOn.markerIds ?? [], addOn.providerIds ?? []];
  const found = await findMarkers(executor, { markerIds, providerIds, labId: markerIds.length > 0 ? null : labId });
  const isMissing =
    markerIds.some((id) => !found.some(({ markerId }) => markerId === id)) ||
    providerIds.some((code) => !found.some((marker) => marker.providerId === code));
  if (isMissing) throw refused('marker_unknown', 'add_on contains a marker that the lab does not offer');
  if (isLabTest !== true && found.some(({ aLaCarteEnabled }) => !aLaCarteEnabled))
    throw refused('marker_not_a_la_carte', 'add_on contains a marker that cannot be ordered separately');
  return found;
}

/** The lab and markers of an order set. With `labId`, all of them must belong to this lab. Throws AppErrors of kind `invalid`. */
export async function resolveOrderSet(executor: Executor, teamId: string, set: OrderSet, labId: number | null): Promise<ResolvedSet> {
  assertAddOn(set);
  if (set.labTestIds.length === 0 && set.addOn === null)
    throw refused('order_set_empty', 'The order set contains neither lab tests nor an add_on');
  const tests = await findLabTests(executor, teamId, set.labTestIds);
  const unknown = set.labTestIds.find((id) => !tests.some(({ labTestId }) => labTestId === id));
  if (unknown !== undefined) throw refused('lab_test_unknown', 'The team has no lab test with one of these ids');
  const ofTests = tests[0]?.labId ?? labId;
  const added = await addOnMarkers(executor, set, ofTests ?? null);
  const labIds = new Set([...tests, ...added].map((item) => item.labId));
  if (labIds.size > 1) throw refused('order_set_of_several_labs', 'All tests of an order must belong to the same lab');
  const [only] = labIds;
  if (only === undefined) throw refused('order_set_empty', 'The order set contains no markers');
  if (labId !== null && only !== labId)
    throw refused('lab_account_mismatch', 'The lab account and the ordered tests belong to different labs');
  const markers = new Map([...tests.flatMap((test) => test.markers), ...added].map((marker) => [marker.markerId, marker]));
  return { labId: only, tests, markers: [...markers.values()], hasAddOn: added.length > 0 };
}
