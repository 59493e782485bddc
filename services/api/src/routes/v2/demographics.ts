import { UserInfoBody, UserInfoInput, UserParams, CreateInsuranceBody, InsuranceBody, InsuranceQuery } from '@pulsewire/contract';
import { putUserInfo, readUserInfo, putUserInsurance, readUserInsurance } from '@pulsewire/labs';
import { renderUserInfo, renderInsurance } from '../../render/labs/demographics.ts';
import { defineRoute, ok, type Route } from '../../route/route.ts';

const putUserInfoRoute = defineRoute({
  method: 'PATCH',
  path: '/v2/user/{user_id}/info',
  operationId: 'putUserInfo',
  area: 'users',
  auth: 'key',
  summary: "Replace a user's demographics",
  params: UserParams,
  body: UserInfoInput,
  responses: { 200: { description: 'The demographics.', schema: UserInfoBody } },
  failures: [404],
  async handler({ labs, team }, { params, body }) {
    await putUserInfo(labs, team.teamId, params.user_id, body);
    return ok(renderUserInfo(body));
  },
});

const getUserInfoRoute = defineRoute({
  method: 'GET',
  path: '/v2/user/{user_id}/info/latest',
  operationId: 'getUserInfo',
  area: 'users',
  auth: 'key',
  summary: "Read a user's demographics",
  params: UserParams,
  responses: { 200: { description: 'The demographics.', schema: UserInfoBody } },
  failures: [404],
  async handler({ labs, team }, { params }) {
    return ok(renderUserInfo(await readUserInfo(labs, team.teamId, params.user_id)));
  },
});

const createInsuranceRoute = defineRoute({
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

const getInsuranceRoute = defineRoute({
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

/** What labs must know of a user. */
export const demographicRoutes: readonly Route[] = [putUserInfoRoute, getUserInfoRoute, createInsuranceRoute, getInsuranceRoute];
