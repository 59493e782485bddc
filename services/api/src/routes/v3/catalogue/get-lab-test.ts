import { LabAccountQuery, LabTest, LabTestParams } from '@pulsewire/contract';
import { ensureSandboxTests, getLabAccount, getLabTest, renderLabTest } from '@pulsewire/labs';
import { AppError } from '@pulsewire/kernel';
import { defineRoute, ok } from '../../../route/route.ts';

export const getLabTestRoute = defineRoute({
  method: 'GET',
  path: '/v3/lab_tests/{lab_test_id}',
  operationId: 'getLabTest',
  area: 'lab tests',
  auth: 'key',
  summary: 'Read a lab test',
  params: LabTestParams,
  query: LabAccountQuery,
  responses: { 200: { description: 'The test.', schema: LabTest } },
  failures: [404],
  async handler({ labs, team }, { params, query }) {
    await ensureSandboxTests(labs, team);
    const test = await getLabTest(labs.database, team.teamId, params.lab_test_id);
    const account = query.lab_account_id === undefined ? null : await getLabAccount(labs.database, team.teamId, query.lab_account_id);
    if (account !== null && account.labId !== test.labId)
      throw new AppError({ code: 'lab_test_not_found', kind: 'not_found', message: 'The lab of the account does not offer this test' });
    return ok(renderLabTest(test));
  },
});
