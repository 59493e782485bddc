import { LabTestsPage, LabTestsQuery } from '@pulsewire/contract';
import { ensureSandboxTests, getLabAccount, listLabTests, renderLabTest, renderLabTestPricing } from '@pulsewire/labs';
import { defineRoute, ok } from '../../../route/route.ts';
import { numberShape, readCursor, writeCursor } from '../../../validate/list-cursor.ts';
import { labTestFilter } from './lab-test-filter.ts';

export const listLabTestsRoute = defineRoute({
  method: 'GET',
  path: '/v3/lab_test',
  operationId: 'listLabTests',
  area: 'lab tests',
  auth: 'key',
  summary: 'List lab tests',
  query: LabTestsQuery,
  responses: { 200: { description: 'A page of the tests of the team.', schema: LabTestsPage } },
  failures: [404],
  async handler({ labs, team }, { query }) {
    await ensureSandboxTests(labs, team);
    const { next_cursor: cursor, lab_test_limit: limit, include_pricing: withPricing, lab_account_id: accountId, ...asked } = query;
    const filter = { list: 'lab_tests', teamId: team.teamId, accountId, asked };
    const [after = '0'] = readCursor(cursor, { filter, shape: [numberShape], loc: ['query', 'next_cursor'] }) ?? [];
    const offset = Number(after);
    const account = accountId === undefined ? undefined : await getLabAccount(labs.database, team.teamId, accountId);
    const wanted = { ...labTestFilter(asked), labId: account?.labId };
    const { tests, total } = await listLabTests(labs.database, team.teamId, wanted, { offset, limit });
    return ok({
      data: tests.map((test) => renderLabTest(test)),
      next_cursor: offset + tests.length < total ? writeCursor(filter, [offset + tests.length]) : null,
      pricing: withPricing ? renderLabTestPricing(tests) : null,
    });
  },
});
