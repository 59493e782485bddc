import { LabsBody, LabAccountsBody, LabAccountsQuery } from '@pulsewire/contract';
import { listLabs, renderLab, listLabAccounts, renderLabAccount } from '@pulsewire/labs';
import { defineRoute, ok } from '../../../route/route.ts';

export const listLabsRoute = defineRoute({
  method: 'GET',
  path: '/v3/lab_tests/labs',
  operationId: 'listLabs',
  area: 'lab tests',
  auth: 'key',
  summary: 'List the labs',
  responses: { 200: { description: 'Every lab.', schema: LabsBody } },
  async handler({ labs }) {
    return ok((await listLabs(labs.database)).map(renderLab));
  },
});

export const listLabAccountsRoute = defineRoute({
  method: 'GET',
  path: '/v3/lab_test/lab_account',
  operationId: 'listLabAccounts',
  area: 'lab tests',
  auth: 'key',
  summary: 'List the accounts of the team at labs',
  query: LabAccountsQuery,
  responses: { 200: { description: 'The accounts that are linked to the team.', schema: LabAccountsBody } },
  async handler({ labs, team }, { query }) {
    const filter = { labAccountId: query.lab_account_id, status: query.status };
    return ok({ data: (await listLabAccounts(labs.database, team.teamId, filter)).map(renderLabAccount) });
  },
});
