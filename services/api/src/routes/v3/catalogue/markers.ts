import {
  MarkersPage,
  MarkersQuery,
  OrderSetMarkersBody,
  PageQuery,
  LabAccountQuery,
  LabTestParams,
  LabMarkerParams,
  Marker,
} from '@pulsewire/contract';
import {
  getLabAccount,
  listMarkers,
  renderMarkerPage,
  ensureSandboxTests,
  pageOfMarkers,
  resolveOrderSet,
  getLabTest,
  getMarker,
  renderMarker,
} from '@pulsewire/labs';
import { Type } from 'typebox';
import { defineRoute, ok } from '../../../route/route.ts';
import { readOrderSet } from '../../../validate/read-order-set.ts';

export const listMarkersRoute = defineRoute({
  method: 'GET',
  path: '/v3/lab_tests/markers',
  operationId: 'listMarkers',
  area: 'lab tests',
  auth: 'key',
  summary: 'List the markers that labs offer',
  query: MarkersQuery,
  responses: { 200: { description: 'Orderable markers with the results of each.', schema: MarkersPage } },
  failures: [404],
  async handler({ labs, team }, { query }) {
    const account = query.lab_account_id === undefined ? null : await getLabAccount(labs.database, team.teamId, query.lab_account_id);
    const requested = query.lab_id;
    const labIds = account === null ? requested : [account.labId].filter((id) => requested === undefined || requested.includes(id));
    const labSlug = account !== null && query.lab_slug === account.labSlug ? undefined : query.lab_slug;
    const filter = { labIds: account !== null && labSlug !== undefined ? [] : labIds, labSlug: account === null ? labSlug : undefined };
    const page = await listMarkers(labs.database, { ...filter, name: query.name, isALaCarte: query.a_la_carte_enabled }, query);
    return ok(renderMarkerPage(page, query.page, query.size, query.include_pricing));
  },
});

export const listOrderSetMarkersRoute = defineRoute({
  method: 'POST',
  path: '/v3/lab_tests/list_order_set_markers',
  operationId: 'listOrderSetMarkers',
  area: 'lab tests',
  auth: 'key',
  scope: 'read',
  summary: 'List the markers of lab tests and an add-on',
  query: PageQuery,
  body: OrderSetMarkersBody,
  responses: { 200: { description: 'The markers, each once.', schema: MarkersPage } },
  failures: [400, 404],
  async handler({ labs, team }, { query, body }) {
    await ensureSandboxTests(labs, team);
    const { lab_account_id: accountId } = body;
    const account = accountId ? await getLabAccount(labs.database, team.teamId, accountId) : null;
    const { markers } = await resolveOrderSet(labs.database, team.teamId, readOrderSet(body), account?.labId ?? null);
    const page = await pageOfMarkers(
      labs.database,
      markers.map(({ markerId }) => markerId),
      query,
    );
    return ok(renderMarkerPage(page, query.page, query.size));
  },
});

const LabTestMarkersQuery = Type.Object({ ...LabAccountQuery.properties, ...PageQuery.properties }, { title: 'LabTestMarkersQuery' });

export const listLabTestMarkersRoute = defineRoute({
  method: 'GET',
  path: '/v3/lab_tests/{lab_test_id}/markers',
  operationId: 'listLabTestMarkers',
  area: 'lab tests',
  auth: 'key',
  summary: 'List the markers of a lab test',
  params: LabTestParams,
  query: LabTestMarkersQuery,
  responses: { 200: { description: 'The markers, reflex ones included.', schema: MarkersPage } },
  failures: [404],
  async handler({ labs, team }, { params, query }) {
    await ensureSandboxTests(labs, team);
    if (query.lab_account_id !== undefined) await getLabAccount(labs.database, team.teamId, query.lab_account_id);
    const { markers } = await getLabTest(labs.database, team.teamId, params.lab_test_id);
    const ids = markers.map(({ markerId }) => markerId);
    return ok(renderMarkerPage(await pageOfMarkers(labs.database, ids, query), query.page, query.size));
  },
});

export const getLabMarkerRoute = defineRoute({
  method: 'GET',
  path: '/v3/lab_tests/{lab_id}/markers/{provider_id}',
  operationId: 'getLabMarker',
  area: 'lab tests',
  auth: 'key',
  summary: "Read a marker by the lab's code",
  params: LabMarkerParams,
  query: LabAccountQuery,
  responses: { 200: { description: 'The marker.', schema: Marker } },
  failures: [404],
  async handler({ labs, team }, { params, query }) {
    if (query.lab_account_id !== undefined) await getLabAccount(labs.database, team.teamId, query.lab_account_id);
    return ok(renderMarker(await getMarker(labs.database, params.lab_id, params.provider_id)));
  },
});
