import type { AuditEffect, AuditEntry } from '@pulsewire/audit';
import type { AuthenticatedKey } from '@pulsewire/connections';
import { isUuid, uuidv7 } from '@pulsewire/kernel';
import { requiredScope } from '../../route/required-scope.ts';
import type { Concern, Route } from '../../route/route.ts';

/** Audit action of a request. */
function effectOf(route: Route): AuditEffect {
  if (route.exports) return 'export';
  if (route.reveals || requiredScope(route) === 'secrets') return 'secret';
  return route.method === 'GET' ? 'read' : 'change';
}

/**
 * When the entry is committed. `before`: nothing is sent without it. `response`: before the response is sent, so that a client that sees a
 * change finds it in the log; the response is sent even when the log is unavailable. `soon`: shortly afterwards.
 */
export type RecordedWhen = 'before' | 'response' | 'soon';

/** The parts of a route's entries that do not depend on the request. */
export interface RouteAudit {
  readonly effect: AuditEffect;
  readonly when: RecordedWhen;
}

export function routeAudit(route: Route): RouteAudit {
  const effect = effectOf(route);
  if (route.auth === 'none' || effect === 'read') return { effect, when: 'soon' };
  return { effect, when: effect === 'change' ? 'response' : 'before' };
}

export interface AuditedRequest {
  readonly key: AuthenticatedKey;
  readonly params: unknown;
  readonly query: unknown;
  /** As far as it was read and validated. */
  readonly body: unknown;
  readonly concerns: Concern | undefined;
  /** Of the request's link token, if it belongs to the team. */
  readonly linkedUserId: string | null;
  readonly address: string | null;
  readonly requestId: string;
  readonly at: Date;
  readonly status: number;
}

const targetLengthMax = 64;
const idForm = /^[\w-]+$/;

/** A team's reference, or a name at a provider, may be personal data. */
const personalIds = new Set(['client_user_id', 'query_id', 'provider_id']);

// Only ids, because other values of a path or query may be personal data. Plain loops, because this runs for every request.
function addIds(part: unknown, target: Record<string, string>): void {
  if (typeof part !== 'object' || part === null) return;
  for (const name in part) {
    if (!name.endsWith('_id') || personalIds.has(name)) continue;
    const value = (part as Record<string, unknown>)[name];
    if (typeof value === 'string' && value.length <= targetLengthMax && idForm.test(value)) target[name] = value;
  }
}

// Several users of a request are counted; a single one is recorded by id.
function addUsers(body: unknown, target: Record<string, string>): void {
  const { user_ids: ids } = (body ?? {}) as { readonly user_ids?: unknown };
  if (!Array.isArray(ids) || ids.length === 0) return;
  if (ids.length === 1) target['user_id'] = String(ids[0]);
  else target['users'] = String(ids.length);
}

/** The entry of a request with a key: route, ids, address and status. Never a value. */
export function auditEntryOf(route: Route, effect: AuditEffect, request: AuditedRequest): AuditEntry {
  const target: Record<string, string> = {};
  if (request.linkedUserId !== null) target['user_id'] = request.linkedUserId;
  addUsers(request.body, target);
  addIds(request.body, target);
  addIds(request.query, target);
  addIds(request.params, target);
  if (request.concerns) Object.assign(target, request.concerns.target, request.concerns.userId && { user_id: request.concerns.userId });
  let userId: string | null = null;
  let hasTarget = false;
  for (const name in target) {
    if (name === 'user_id') userId = target[name] as string;
    else hasTarget = true;
  }
  if (userId !== null && hasTarget) delete target['user_id'];
  return {
    entryId: uuidv7(request.at.getTime()),
    at: request.at,
    teamId: request.key.team.teamId,
    actorKind: 'key',
    actor: request.key.keyId,
    effect,
    action: route.operationId,
    userId: userId !== null && isUuid(userId) ? userId.toLowerCase() : null,
    target: hasTarget ? target : null,
    address: request.address,
    status: request.status,
    requestId: request.requestId,
  };
}
