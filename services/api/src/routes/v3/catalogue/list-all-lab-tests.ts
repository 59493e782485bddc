import { AllLabTestsQuery, LabTestsBody } from '@pulsewire/contract';
import { ensureSandboxTests, listLabTests, renderLabTest } from '@pulsewire/labs';
import { defineRoute, ok } from '../../../route/route.ts';
import { labTestFilter } from './lab-test-filter.ts';

const testsMax = 1000;

export const listAllLabTestsRoute = defineRoute({
  method: 'GET',
  path: '/v3/lab_tests',
  operationId: 'listAllLabTests',
  area: 'lab tests',
  auth: 'key',
  deprecated: true,
  summary: 'List lab tests without pages',
  description: `At most ${testsMax}; \`GET /v3/lab_test\` returns pages.`,
  query: AllLabTestsQuery,
  responses: { 200: { description: 'The tests of the team.', schema: LabTestsBody } },
  async handler({ labs, team }, { query }) {
    await ensureSandboxTests(labs, team);
    const { tests } = await listLabTests(labs.database, team.teamId, labTestFilter(query), { offset: 0, limit: testsMax });
    return ok(tests.map((test) => renderLabTest(test)));
  },
});
