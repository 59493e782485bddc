import { LabAccountQuery, LabTestParams, MarkersPage, PageQuery } from '@pulsewire/contract';
import { Type } from 'typebox';
import { ensureSandboxTests, getLabAccount, getLabTest, pageOfMarkers, renderMarkerPage } from '@pulsewire/labs';
import { defineRoute, ok } from '../../../route/route.ts';

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
