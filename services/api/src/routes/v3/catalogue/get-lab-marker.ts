import { LabAccountQuery, LabMarkerParams, Marker } from '@pulsewire/contract';
import { getLabAccount, getMarker, renderMarker } from '@pulsewire/labs';
import { defineRoute, ok } from '../../../route/route.ts';

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
