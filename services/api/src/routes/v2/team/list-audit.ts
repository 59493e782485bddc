import { listAuditEntries, type AuditEntry } from '@pulsewire/audit';
import { renderDateTime } from '@pulsewire/contract';
import { defineRoute, ok } from '../../../route/route.ts';
import { AuditListBody, AuditListQuery, type AuditEntryBody } from '../../../schemas/audit.ts';
import { readCursor, uuidShape, writeCursor } from '../../../validate/list-cursor.ts';
import { optionalInstant, orderedRange } from '../../../validate/optional-instant.ts';

function renderEntry(entry: AuditEntry): AuditEntryBody {
  return {
    id: entry.entryId,
    at: renderDateTime(entry.at.getTime()),
    actor_kind: entry.actorKind,
    actor: entry.actor,
    effect: entry.effect,
    action: entry.action,
    user_id: entry.userId,
    target: entry.target,
    address: entry.address,
    status: entry.status,
    request_id: entry.requestId,
  };
}

const limitDefault = 100;

export const listAuditRoute = defineRoute({
  method: 'GET',
  path: '/v2/team/audit',
  operationId: 'listAuditEntries',
  area: 'team',
  auth: 'key',
  scope: 'manage',
  summary: 'Read the audit log, newest first',
  description:
    'Who read, exported, changed or revealed what, for which user, when and from where: requests with keys of the team, and operator commands on the team. Entries appear within a second.',
  query: AuditListQuery,
  responses: { 200: { description: 'One page.', schema: AuditListBody } },
  refine: ({ query }) => orderedRange(query),
  async handler({ database, team }, { query }) {
    const { limit = limitDefault, next_cursor: cursor, ...asked } = query;
    const filter = { list: 'audit', teamId: team.teamId, ...asked };
    const [beforeId] = readCursor(cursor, { filter, shape: [uuidShape], loc: ['query', 'next_cursor'] }) ?? [];
    const entries = await listAuditEntries(database, {
      teamId: team.teamId,
      userId: query.user_id,
      actor: query.key_id,
      effect: query.effect,
      since: optionalInstant(query.since),
      until: optionalInstant(query.until),
      beforeId,
      limit,
    });
    const last = entries.length < limit ? undefined : entries.at(-1);
    return ok({ data: entries.map(renderEntry), next_cursor: last ? writeCursor(filter, [last.entryId]) : null });
  },
});
