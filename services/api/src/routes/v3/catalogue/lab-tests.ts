import {
  LabTestsPage,
  LabTestsQuery,
  AllLabTestsQuery,
  LabTestsBody,
  CreateLabTestBody,
  LabTest,
  LabAccountQuery,
  LabTestParams,
  UpdateLabTestBody,
} from '@pulsewire/contract';
import { AppError } from '@pulsewire/kernel';
import {
  type LabTestFilter,
  ensureSandboxTests,
  getLabAccount,
  listLabTests,
  renderLabTest,
  renderLabTestPricing,
  createLabTest,
  findLabBySlug,
  getLab,
  resolveOrderSet,
  getLabTest,
  updateLabTest,
} from '@pulsewire/labs';
import type { Static } from 'typebox';
import { defineRoute, ok } from '../../../route/route.ts';
import { numberShape, readCursor, writeCursor } from '../../../validate/list-cursor.ts';

/** The filters of both lists of lab tests. */
function labTestFilter(query: Static<typeof AllLabTestsQuery>): LabTestFilter {
  return {
    generation: query.generation_method,
    labSlug: query.lab_slug,
    method: query.collection_method,
    status: query.status,
    markerIds: query.marker_ids,
    providerIds: query.provider_ids,
    name: query.name,
    orderKey: query.order_key,
    direction: query.order_direction,
  };
}

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

export const createLabTestRoute = defineRoute({
  method: 'POST',
  path: '/v3/lab_tests',
  operationId: 'createLabTest',
  area: 'lab tests',
  auth: 'key',
  summary: 'Create a lab test',
  description: 'From either `marker_ids` or `provider_ids`. Codes that several labs use need `lab_slug` or `lab_account_id`.',
  body: CreateLabTestBody,
  responses: { 200: { description: 'The test.', schema: LabTest } },
  failures: [400, 404],
  async handler({ labs, team, clock }, { body }) {
    const { teamId } = team;
    const account = body.lab_account_id ? await getLabAccount(labs.database, teamId, body.lab_account_id) : null;
    const ofSlug = body.lab_slug ? await findLabBySlug(labs.database, body.lab_slug) : null;
    if (account && ofSlug && account.labId !== ofSlug.labId)
      throw new AppError({ code: 'lab_account_mismatch', kind: 'invalid', message: 'lab_slug and the account name different labs' });
    const addOn = { markerIds: body.marker_ids ?? null, providerIds: body.provider_ids ?? null };
    const test = await labs.database.transaction(async (tx) => {
      const labId = account?.labId ?? ofSlug?.labId ?? null;
      const set = await resolveOrderSet(tx, teamId, { labTestIds: [], addOn, isLabTest: true }, labId);
      const created = {
        teamId,
        lab: await getLab(tx, set.labId),
        markers: set.markers,
        name: body.name,
        description: body.description,
        method: body.method,
        fasting: body.fasting ?? false,
        labAccountId: account?.labAccountId ?? null,
        composition: null,
      };
      return createLabTest(tx, created, clock.now());
    });
    return ok(renderLabTest(test));
  },
});

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
