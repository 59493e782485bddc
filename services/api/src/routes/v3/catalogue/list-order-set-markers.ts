import { MarkersPage, OrderSetMarkersBody, PageQuery } from '@pulsewire/contract';
import { ensureSandboxTests, getLabAccount, pageOfMarkers, renderMarkerPage, resolveOrderSet } from '@pulsewire/labs';
import { readOrderSet } from '../../../validate/read-order-set.ts';
import { defineRoute, ok } from '../../../route/route.ts';

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
