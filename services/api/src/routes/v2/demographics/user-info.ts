import { UserInfoBody, UserInfoInput, UserParams } from '@pulsewire/contract';
import { putUserInfo, readUserInfo } from '@pulsewire/labs';
import { renderUserInfo } from '../../../render/labs/demographics.ts';
import { defineRoute, ok } from '../../../route/route.ts';

export const putUserInfoRoute = defineRoute({
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

export const getUserInfoRoute = defineRoute({
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
