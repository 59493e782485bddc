import { LabTest, LabTestParams, UpdateLabTestBody } from '@pulsewire/contract';
import { ensureSandboxTests, getLabTest, renderLabTest, updateLabTest } from '@pulsewire/labs';
import { defineRoute, ok } from '../../../route/route.ts';

export const updateLabTestRoute = defineRoute({
  method: 'PATCH',
  path: '/v3/lab_tests/{lab_test_id}',
  operationId: 'updateLabTest',
  area: 'lab tests',
  auth: 'key',
  summary: 'Rename, archive or restore a lab test',
  params: LabTestParams,
  body: UpdateLabTestBody,
  responses: { 200: { description: 'The changed test.', schema: LabTest } },
  failures: [404],
  async handler({ labs, team, clock }, { params, body }) {
    await ensureSandboxTests(labs, team);
    const test = { teamId: team.teamId, labTestId: params.lab_test_id };
    const { name, active } = body;
    const changes = { ...(typeof name === 'string' && { name }), ...(typeof active === 'boolean' && { isActive: active }) };
    await updateLabTest(labs.database, test, changes, clock.now());
    return ok(renderLabTest(await getLabTest(labs.database, test.teamId, test.labTestId)));
  },
});
