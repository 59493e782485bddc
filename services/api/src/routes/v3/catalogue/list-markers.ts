import { MarkersPage, MarkersQuery } from '@pulsewire/contract';
import { getLabAccount, listMarkers, renderMarkerPage } from '@pulsewire/labs';
import { defineRoute, ok } from '../../../route/route.ts';

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
