import { UserParams } from '@pulsewire/contract';
import { getUser } from '@pulsewire/connections';
import { defineRoute } from '../../../route/route.ts';
import { CreatePortalUrlBody } from '../../../schemas/users.ts';
import { notBuilt, notBuiltSpec } from './not-built.ts';

export const createPortalUrlRoute = defineRoute({
  method: 'POST',
  path: '/v2/user/{user_id}/create_portal_url',
  operationId: 'createPortalUrl',
  area: 'users',
  auth: 'key',
  summary: 'Create a patient portal URL (not implemented)',
  params: UserParams,
  body: CreatePortalUrlBody,
  responses: { 501: notBuiltSpec },
  failures: [404],
  async handler(context, { params }) {
    await getUser(context.database, context.team.teamId, params.user_id);
    return notBuilt('Addresses of a patient portal');
  },
});
