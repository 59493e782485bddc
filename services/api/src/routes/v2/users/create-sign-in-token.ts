import { Type } from 'typebox';
import { UserParams, Uuid } from '@pulsewire/contract';
import { openPhoneSession } from '@pulsewire/intake';
import { defineRoute, ok } from '../../../route/route.ts';

const SignInToken = Type.Object(
  {
    user_id: Uuid,
    sign_in_token: Type.String({ description: 'A bearer token for the phone endpoints; valid for an hour, and not renewed.' }),
  },
  { title: 'SignInToken' },
);

export const createSignInTokenRoute = defineRoute({
  method: 'POST',
  path: '/v2/user/{user_id}/sign_in_token',
  operationId: 'createSignInToken',
  area: 'users',
  auth: 'key',
  reveals: true,
  summary: 'Create a sign-in token for a phone SDK',
  params: UserParams,
  responses: { 200: { description: 'Created.', schema: SignInToken } },
  failures: [404],
  async handler(context, { params: { user_id: userId } }) {
    const { team, key, phone } = context;
    const tokens = await openPhoneSession(phone.tokens, { teamId: team.teamId, userId, appId: `key:${key.keyId}`, isRefreshable: false });
    return ok({ user_id: userId, sign_in_token: tokens.access_token });
  },
});
