import { CreateInsuranceBody, InsuranceBody, InsuranceQuery, UserParams } from '@pulsewire/contract';
import { putUserInsurance, readUserInsurance } from '@pulsewire/labs';
import { renderInsurance } from '../../../render/labs/demographics.ts';
import { defineRoute, ok } from '../../../route/route.ts';

export const createInsuranceRoute = defineRoute({
  method: 'POST',
  path: '/v2/user/{user_id}/insurance',
  operationId: 'createInsurance',
  area: 'users',
  auth: 'key',
  summary: "Replace a user's primary or secondary insurance",
  params: UserParams,
  body: CreateInsuranceBody,
  responses: { 200: { description: 'The insurance.', schema: InsuranceBody } },
  failures: [404],
  async handler({ labs, team }, { params, body }) {
    const owner = { teamId: team.teamId, userId: params.user_id, isPrimary: body.is_primary };
    await putUserInsurance(labs, owner, body);
    return ok(renderInsurance(body));
  },
});

export const getInsuranceRoute = defineRoute({
  method: 'GET',
  path: '/v2/user/{user_id}/insurance/latest',
  operationId: 'getInsurance',
  area: 'users',
  auth: 'key',
  summary: "Read a user's insurance",
  params: UserParams,
  query: InsuranceQuery,
  responses: { 200: { description: 'The insurance.', schema: InsuranceBody } },
  failures: [404],
  async handler({ labs, team }, { params, query }) {
    return ok(renderInsurance(await readUserInsurance(labs, team.teamId, params.user_id, query.is_primary)));
  },
});
