import { AreaInfoBody, AreaInfoQuery, CenterInfoBody, CenterInfoQuery } from '@pulsewire/contract';
import { AppError } from '@pulsewire/kernel';
import { getLabAccount, readAreaInfo, readCenters } from '@pulsewire/labs';
import { renderAreaInfo, renderCenters } from '../../render/labs/areas.ts';
import { defineRoute, ok, type Route } from '../../route/route.ts';

const getAreaInfoRoute = defineRoute({
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

const listCentersRoute = defineRoute({
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

/** Services around a ZIP code. */
export const areaRoutes: readonly Route[] = [getAreaInfoRoute, listCentersRoute];
