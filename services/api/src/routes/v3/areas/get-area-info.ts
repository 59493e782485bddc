import { AreaInfoBody, AreaInfoQuery } from '@pulsewire/contract';
import { getLabAccount, readAreaInfo } from '@pulsewire/labs';
import { renderAreaInfo } from '../../../render/labs/areas.ts';
import { defineRoute, ok } from '../../../route/route.ts';

export const getAreaInfoRoute = defineRoute({
  method: 'GET',
  path: '/v3/order/area/info',
  operationId: 'getAreaInfo',
  area: 'lab orders',
  auth: 'key',
  summary: 'What is available around a ZIP code',
  description: 'Labs that `labs` does not name are left out. An unknown ZIP code is served by no one.',
  query: AreaInfoQuery,
  responses: { 200: { description: 'Phlebotomists, and service centers by lab.', schema: AreaInfoBody } },
  failures: [404],
  async handler({ labs, team }, { query }) {
    const { zip_code: zipCode, radius, lab, labs: slugs = [], lab_account_id: accountId } = query;
    const account = accountId === undefined ? null : await getLabAccount(labs.database, team.teamId, accountId);
    const labSlugs = [...slugs, ...(lab === undefined ? [] : [lab])];
    const info = await readAreaInfo(labs.database, { zipCode, miles: Number(radius), labSlugs, labId: account?.labId ?? null });
    return ok(renderAreaInfo(zipCode, radius, info));
  },
});
