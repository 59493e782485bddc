import { UserParams } from '@pulsewire/contract';
import { getUser } from '@pulsewire/connections';
import { defineRoute } from '../../../route/route.ts';
import { notBuilt, notBuiltSpec } from './not-built.ts';

export const createSignInTokenRoute = defineRoute({
  method: 'POST',
  path: '/v2/user/{user_id}/sign_in_token',
  operationId: 'createSignInToken',
  area: 'users',
  auth: 'key',
  summary: 'Create a sign-in token for a phone SDK (not implemented)',
  params: UserParams,
  responses: { 501: notBuiltSpec },
  failures: [404],
  async handler(context, { params }) {
    await getUser(context.database, context.team.teamId, params.user_id);
    return notBuilt('Sign-in tokens for phone SDKs');
  },
});
