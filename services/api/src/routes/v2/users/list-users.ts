import { listUsers, type User, type UserFilter, type UserPlace } from '@pulsewire/connections';
import { PaginatedUsersBody, UserListQuery, type ValidationError } from '@pulsewire/contract';
import type { Static } from 'typebox';
import type { KeyContext } from '../../../context/context.ts';
import { readConnected, renderUsers, type Connected } from '../../../render/user.ts';
import { defineRoute, ok } from '../../../route/route.ts';
import { instantShape, readCursor, uuidShape, writeCursor } from '../../../validate/list-cursor.ts';
import { optionalInstant } from '../../../validate/optional-instant.ts';
import { fieldError } from '../../../validate/validate-request.ts';

type Query = Static<typeof UserListQuery>;

/** Users examined by one request for those without recent data; more continue on the next page. */
const examinedMax = 1000;
const examinedAtOnce = 200;

interface Page {
  readonly users: readonly User[];
  readonly total: number;
  readonly connected?: Connected;
  /** The last user examined; null when there are no more. */
  readonly last: User | null;
}

const placeOf = ({ createdAt, userId }: User): UserPlace => ({ createdAt: createdAt.toISOString(), userId });

async function listMatching(context: KeyContext, query: Query, filter: UserFilter, after: UserPlace | null): Promise<Page> {
  const { users, total } = await listUsers(
    context.database,
    context.team.teamId,
    { offset: query.offset, limit: query.limit + 1, after },
    filter,
  );
  const shown = users.slice(0, query.limit);
  return { users: shown, total, last: users.length > query.limit ? (shown.at(-1) ?? null) : null };
}

/** As `listMatching`, but only users with a connection from which nothing newer than `since` is stored. */
async function listStale(context: KeyContext, query: Query, filter: UserFilter, after: UserPlace | null, since: Date): Promise<Page> {
  const { teamId } = context.team;
  const limit = query.limit;
  const found: User[] = [];
  const parts: Connected[] = [];
  let place = after;
  let total = 0;
  let last: User | null = null;
  for (let examined = 0; examined < examinedMax && found.length < limit;) {
    const page = await listUsers(context.database, teamId, { offset: 0, limit: examinedAtOnce, after: place }, filter);
    if (place === after) total = page.total;
    const connected = await readConnected(
      context,
      teamId,
      page.users.map(({ userId }) => userId),
    );
    parts.push(connected);
    const stale = new Set(
      connected.connections
        .filter(({ provider, status, createdAt }) => {
          const isMeant = (filter.provider ?? provider) === provider && (filter.status ?? status) === status;
          return isMeant && createdAt <= since;
        })
        .filter((connection) => (connected.newest(connection)?.getTime() ?? 0) <= since.getTime())
        .map(({ userId }) => userId),
    );
    last = null;
    for (const user of page.users) {
      if (found.length === limit) break;
      if (stale.has(user.userId)) found.push(user);
      last = user;
    }
    if (last === null || (page.users.length < examinedAtOnce && last === page.users.at(-1))) return result(null);
    place = placeOf(last);
    examined += page.users.length;
  }
  return result(last);

  function result(end: User | null): Page {
    const connections = parts.flatMap((part) => part.connections);
    const newest: Connected['newest'] = (one) => parts.find((part) => part.connections.includes(one))?.newest(one) ?? null;
    return { users: found, total, connected: { connections, newest }, last: end };
  }
}

function conflicts({ query }: { readonly query: Query }): readonly ValidationError[] {
  const { offset, next_cursor: cursor, no_data_since: since, status } = query;
  const errors: ValidationError[] = [];
  if (offset > 0 && (cursor !== undefined || since !== undefined))
    errors.push(fieldError(['query', 'offset'], 'Must be 0 with next_cursor or no_data_since', String(offset)));
  if (status === 'none' && since !== undefined)
    errors.push(fieldError(['query', 'status'], 'Must not be none with no_data_since, which is about connections', status));
  return errors;
}

export const listUsersRoute = defineRoute({
  method: 'GET',
  path: '/v2/user',
  operationId: 'listUsers',
  area: 'users',
  auth: 'key',
  summary: 'List users, newest first',
  description: 'By cursor a long list is read without gaps while users are created; by offset as well, but then a page may repeat users.',
  query: UserListQuery,
  responses: { 200: { description: 'One page.', schema: PaginatedUsersBody } },
  refine: conflicts,
  async handler(context, { query }) {
    const { teamId } = context.team;
    const { provider, status, query: text, offset, limit } = query;
    const since = optionalInstant(query.no_data_since);
    const filters = { list: 'users', teamId, provider, status, query: text, since: since?.getTime() };
    const place = readCursor(query.next_cursor, { filter: filters, shape: [instantShape, uuidShape], loc: ['query', 'next_cursor'] });
    const after = place === null ? null : { createdAt: place[0] ?? '', userId: place[1] ?? '' };
    const filter: UserFilter = { provider, status, query: text, connectedBefore: since };
    const page =
      since === undefined ? await listMatching(context, query, filter, after) : await listStale(context, query, filter, after, since);
    const users = await renderUsers(context, teamId, page.users, page.connected);
    const end = page.last === null ? null : placeOf(page.last);
    return ok({ users, total: page.total, offset, limit, next_cursor: end && writeCursor(filters, [end.createdAt, end.userId]) });
  },
});
