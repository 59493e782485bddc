import type { AuditEffect, AuditEntry } from '@pulsewire/audit';
import type { AuthenticatedKey } from '@pulsewire/connections';
import { isUuid, uuidv7 } from '@pulsewire/kernel';
import { requiredScope } from './required-scope.ts';
import type { Route } from './route.ts';

/** What a request is in the audit log. */
function effectOf(route: Route): AuditEffect {
  if (route.exports) return 'export';
  if (requiredScope(route) === 'secrets') return 'secret';
  return route.method === 'GET' ? 'read' : 'change';
}

/** Secrets and exports go out only once it is recorded that they did. */
export function isRevealing(route: Route): boolean {
  const effect = route.auth === 'none' ? 'read' : effectOf(route);
  return effect === 'secret' || effect === 'export';
}

export interface AuditedRequest {
  readonly key: AuthenticatedKey;
  readonly params: unknown;
  readonly query: unknown;
  readonly address: string;
  readonly requestId: string;
  readonly at: Date;
  readonly status: number;
}

const targetLengthMax = 64;

// Only ids: what else a path or a query holds may be a person's.
function idsIn(part: unknown): [string, string][] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, value]): [string, string][] =>
    name.endsWith('_id') && typeof value === 'string' && value.length <= targetLengthMax && /^[\w-]+$/.test(value) ? [[name, value]] : [],
  );
}

/** The entry of a request that was made with a key: which route, which ids, from where, with what status. Never a value. */
export function auditEntryOf(route: Route, request: AuditedRequest): AuditEntry {
  const {
    user_id: userId,
    client_user_id: _reference,
    ...target
  } = Object.fromEntries([...idsIn(request.query), ...idsIn(request.params)]);
  return {
    entryId: uuidv7(request.at.getTime()),
    at: request.at,
    teamId: request.key.team.teamId,
    actorKind: 'key',
    actor: request.key.keyId,
    effect: effectOf(route),
    action: route.operationId,
    userId: userId !== undefined && isUuid(userId) ? userId.toLowerCase() : null,
    target: Object.keys(target).length > 0 ? target : null,
    address: request.address,
    status: request.status,
    requestId: request.requestId,
  };
}
