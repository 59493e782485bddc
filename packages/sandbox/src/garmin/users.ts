import type { ApiRoute, UserCall } from '../kit/definition/definition.ts';

const get = { method: 'GET', auth: 'user' } as const;

/** Under both prefixes; the second returns a bare list. */
export const userRoutes: readonly ApiRoute[] = [
  {
    ...get,
    kind: 'user.id',
    path: '/partner-gateway/rest/user/id',
    respond: ({ account }: UserCall) => ({ body: { userId: account.providerUserId } }),
  },
  {
    ...get,
    kind: 'user.permissions',
    path: '/partner-gateway/rest/user/permissions',
    respond: ({ grant }: UserCall) => ({ body: { permissions: [...grant.scopes, 'WORKOUT_IMPORT', 'COURSE_IMPORT'] } }),
  },
  {
    ...get,
    kind: 'user.permissions.list',
    path: '/wellness-api/rest/user/permissions',
    respond: ({ grant }: UserCall) => ({ body: grant.scopes }),
  },
  {
    kind: 'user.registration',
    method: 'DELETE',
    auth: 'user',
    path: '/partner-gateway/rest/user/registration',
    respond({ grant, parts }: UserCall) {
      parts.grants.end(grant.providerUserId, grant.clientId);
      parts.save();
      return { status: 204 };
    },
  },
];
