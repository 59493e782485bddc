import type { ApiRoute, UserCall } from '../kit/definition/definition.ts';
import { invalid, RefusalError } from '../kit/parts/refusal.ts';

const keyOf = ({ grant: { clientId, providerUserId } }: UserCall): string => `registered ${clientId} ${providerUserId}`;

/** Data is shown only to applications with which the user is registered. */
export function assertRegistered(call: UserCall): void {
  if (!call.parts.memory.has(keyOf(call))) throw new RefusalError('account_state', 'The user has not been registered');
}

export const userRoutes: readonly ApiRoute[] = [
  {
    kind: 'users.register',
    method: 'POST',
    path: '/users',
    auth: 'user',
    respond(call) {
      const memberId = ((call.json ?? {}) as Readonly<Record<string, unknown>>)['member-id'];
      if (typeof memberId !== 'string' || memberId === '') throw invalid('Missing member-id');
      if (call.parts.memory.has(keyOf(call))) throw new RefusalError('conflict', 'The user is registered already');
      call.parts.memory.set(keyOf(call), memberId);
      call.parts.save();
      return { body: { 'polar-user-id': Number(call.account.providerUserId), 'member-id': memberId, 'registration-date': '2026-01-01' } };
    },
  },
  {
    kind: 'users.delete',
    method: 'DELETE',
    path: '/users/:id',
    auth: 'user',
    respond(call) {
      const { grant, account, params, parts } = call;
      if (params['id'] !== account.providerUserId) throw new RefusalError('not_found', 'No such user');
      parts.grants.endOne(grant.grantId);
      // Registered for as long as any consent to the application is in force.
      const isLast = !parts.grants.of(account.providerUserId).some(({ clientId }) => clientId === grant.clientId);
      if (isLast) parts.memory.delete(keyOf(call));
      parts.save();
      return { status: 204 };
    },
  },
];
