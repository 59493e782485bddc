import { listAuditEntries, type AuditEntry } from '@pulsewire/audit';
import {
  closedEnum,
  nullable,
  eventCatalogue,
  EventTypeListBody,
  EventListBody,
  MessageListBody,
  MessageListQuery,
  MessageDetailBody,
  renderDateTime,
  activeDeprecations,
  deprecations,
  renderDate,
} from '@pulsewire/contract';
import { readTeamEvents, listMessages, getMessage } from '@pulsewire/webhooks';
import { Type } from 'typebox';
import { defineRoute, ok, type Route } from '../../route/route.ts';
import { AuditListBody, AuditListQuery, type AuditEntryBody } from '../../schemas/audit.ts';
import { EventTypesQuery, EventListQuery, MessageParams } from '../../schemas/webhooks.ts';
import { readCursor, uuidShape, writeCursor } from '../../validate/list-cursor.ts';
import { optionalInstant, orderedRange } from '../../validate/optional-instant.ts';
import { withFieldRefusals } from '../../validate/webhook-refusals.ts';

const Deprecation = Type.Object(
  {
    id: Type.String(),
    where: Type.String({ description: 'The field, event type or path.' }),
    announced_on: nullable(Type.String({ format: 'date' })),
    removed_on: nullable(Type.String({ format: 'date' }), { description: 'First day without it; null while no date is set.' }),
    replacement: Type.String(),
    status: closedEnum(['announced', 'kept', 'removed']),
  },
  {
    title: 'Deprecation',
    description:
      'announced: served to every team. kept: removed, and still served to this team because of its contract date. removed: not served to this team.',
  },
);

/** Response of GET /v2/team/deprecations. */
const DeprecationListBody = Type.Object({ contract_date: Type.String({ format: 'date' }), deprecations: Type.Array(Deprecation) });

/** An object as JSON with `body` as its last key, containing the stored text unchanged: byte for byte what an endpoint gets. */
function withRawBody(value: object, body: string | null): string {
  return `${JSON.stringify(value).slice(0, -1)},"body":${body ?? 'null'}}`;
}

/** Headers of a response with a body that is already JSON text. */
const jsonText = { 'content-type': 'application/json; charset=utf-8' } as const;

const listEventTypesRoute = defineRoute({
  method: 'GET',
  path: '/v2/team/event_types',
  operationId: 'listEventTypes',
  area: 'webhooks',
  auth: 'key',
  summary: 'List event types with the JSON Schema of their bodies and an example of each',
  query: EventTypesQuery,
  responses: { 200: { description: 'All event types, or the requested ones.', schema: EventTypeListBody } },
  async handler(_context, { query }) {
    const wanted = query.event_types && new Set<string>(query.event_types);
    return ok({ data: eventCatalogue().filter((row) => wanted?.has(row.event_type) ?? true) });
  },
});

const listEventsRoute = defineRoute({
  method: 'GET',
  path: '/v2/team/events',
  operationId: 'listTeamEvents',
  area: 'webhooks',
  auth: 'key',
  summary: 'Read events instead of receiving them',
  description:
    'Oldest first, with the ids and bodies of the webhooks, in order for each user, as far back as events are kept (30 days by default). Compare ids to find webhooks that did not arrive.',
  query: EventListQuery,
  responses: { 200: { description: 'One page; it may be short or empty before the last.', schema: EventListBody } },
  async handler(context, { query }) {
    const page = await withFieldRefusals({ query }, () =>
      readTeamEvents(context.endpoints, context.team.teamId, {
        eventTypes: query.event_types === undefined || query.event_types.length === 0 ? null : query.event_types,
        userId: query.user_id ?? null,
        since: optionalInstant(query.since) ?? null,
        cursor: query.next_cursor ?? null,
        limit: query.limit,
      }),
    );
    const data = page.data.map(({ body, ...rest }) => withRawBody(rest, body)).join(',');
    const rest = JSON.stringify({ next_cursor: page.next_cursor, position: page.position }).slice(1);
    return { status: 200, headers: jsonText, body: `{"data":[${data}],${rest}` };
  },
});

const listMessagesRoute = defineRoute({
  method: 'GET',
  path: '/v2/team/message',
  operationId: 'listTeamMessages',
  area: 'webhooks',
  auth: 'key',
  summary: 'List messages with their delivery status, newest first',
  query: MessageListQuery,
  responses: { 200: { description: 'One page; it may be short or empty before the last.', schema: MessageListBody } },
  failures: [404],
  refine: ({ query }) => orderedRange(query),
  handler: async (context, { query }) =>
    ok(
      await withFieldRefusals({ query }, () =>
        listMessages(context.endpoints, context.team.teamId, {
          status: query.status,
          webhookId: query.webhook_id,
          eventType: query.event_type,
          userId: query.user_id,
          since: optionalInstant(query.since),
          until: optionalInstant(query.until),
          cursor: query.next_cursor,
          limit: query.limit,
        }),
      ),
    ),
});

const getMessageRoute = defineRoute({
  method: 'GET',
  path: '/v2/team/message/{message_id}',
  operationId: 'getTeamMessage',
  area: 'webhooks',
  auth: 'key',
  summary: 'Read a message with its body and every attempt at every endpoint',
  params: MessageParams,
  responses: { 200: { description: 'The message.', schema: MessageDetailBody } },
  failures: [404],
  async handler(context, { params }) {
    const { body, ...rest } = await getMessage(context.endpoints, context.team.teamId, params.message_id);
    return { status: 200, headers: jsonText, body: withRawBody(rest, body), concerns: { userId: rest.user_id } };
  },
});

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

const listAuditRoute = defineRoute({
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

const listDeprecationsRoute = defineRoute({
  method: 'GET',
  path: '/v2/team/deprecations',
  operationId: 'listDeprecations',
  area: 'webhooks',
  auth: 'key',
  summary: 'List what is being removed from the API and its events, and what your team still receives',
  description:
    'A team whose contract date is before a removal keeps receiving what was removed. Without a contract date it receives the current form.',
  responses: { 200: { description: 'All deprecations.', schema: DeprecationListBody } },
  async handler({ team, clock }) {
    const contractDate = team.contractDate ?? renderDate(clock.now().getTime());
    const kept = new Set(activeDeprecations(contractDate).map(({ id }) => id));
    return ok({
      contract_date: contractDate,
      deprecations: deprecations.map(({ id, where, announcedOn, removedOn, replacement }) => ({
        id,
        where,
        announced_on: announcedOn,
        removed_on: removedOn,
        replacement,
        status: removedOn === null ? 'announced' : kept.has(id) ? 'kept' : 'removed',
      })),
    });
  },
});

/** Event types, messages and events of a team. */
export const teamRoutes: readonly Route[] = [
  listEventTypesRoute,
  listEventsRoute,
  listMessagesRoute,
  getMessageRoute,
  listAuditRoute,
  listDeprecationsRoute,
];
