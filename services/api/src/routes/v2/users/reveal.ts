import { getUser } from '@pulsewire/connections';
import { SuccessBody, UserParams } from '@pulsewire/contract';
import { defineRoute, ok } from '../../../route/route.ts';

export const revealUserRoute = defineRoute({
  method: 'POST',
  path: '/v2/user/{user_id}/reveal',
  operationId: 'revealUserValues',
  area: 'users',
  auth: 'key',
  scope: 'read',
  reveals: true,
  summary: 'Record that a person is about to see the health values of a user',
  description:
    'For applications that mask values until somebody asks for them, as the portal does. The entry of the audit log is written before the response is sent; nothing else changes.',
  params: UserParams,
  responses: { 200: { description: 'Recorded.', schema: SuccessBody } },
  failures: [404],
  async handler({ database, team }, { params }) {
    await getUser(database, team.teamId, params.user_id);
    return ok({ success: true });
  },
});
