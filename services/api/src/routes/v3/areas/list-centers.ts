import { AppError } from '@pulsewire/kernel';
import { CenterInfoBody, CenterInfoQuery } from '@pulsewire/contract';
import { getLabAccount, readCenters } from '@pulsewire/labs';
import { renderCenters } from '../../../render/labs/areas.ts';
import { defineRoute, ok } from '../../../route/route.ts';

export const listCentersRoute = defineRoute({
  method: 'GET',
  path: '/v3/order/psc/info',
  operationId: 'listServiceCenters',
  area: 'lab orders',
  auth: 'key',
  summary: 'Find the service centers of a lab near a ZIP code',
  description: 'A center must have every capability that is named.',
  query: CenterInfoQuery,
  responses: { 200: { description: 'The nearest centers.', schema: CenterInfoBody } },
  failures: [400, 404],
  async handler({ labs, team }, { query }) {
    const { zip_code: zipCode, lab_id: labId, radius, capabilities = [], lab_account_id: accountId } = query;
    const account = accountId === undefined ? null : await getLabAccount(labs.database, team.teamId, accountId);
    if (account !== null && account.labId !== labId)
      throw new AppError({ code: 'lab_account_mismatch', kind: 'invalid', message: 'The lab account belongs to another lab' });
    const { lab, centers } = await readCenters(labs.database, { zipCode, labId, miles: Number(radius), capabilities });
    return ok(renderCenters(lab, centers));
  },
});
