import type { Static } from 'typebox';
import type { IntrospectionQuery } from '@pulsewire/contract';
import { listUserIds } from '@pulsewire/connections';
import type { KeyContext } from '../../../context/context.ts';
import { readCursor, uuidShape, writeCursor } from '../../../validate/list-cursor.ts';

export interface PageOfUsers {
  readonly userIds: readonly string[];
  readonly provider: string | null;
  readonly nextCursor: string | null;
}

/** The users of a page, ordered by id. Throws AppError `request_invalid` for a cursor of another list. */
export async function pageOfUsers({ database, team }: KeyContext, query: Static<typeof IntrospectionQuery>): Promise<PageOfUsers> {
  const provider = query.provider || null;
  const userId = query.user_id ?? null;
  const filter = { teamId: team.teamId, provider, userId };
  const field = query.next_cursor == null ? 'cursor' : 'next_cursor';
  const place = readCursor(query[field], { filter, shape: [uuidShape], loc: ['query', field] });
  const found = await listUserIds(database, team.teamId, { after: place?.[0] ?? null, limit: query.user_limit + 1, userId });
  const userIds = found.slice(0, query.user_limit);
  const last = found.length > query.user_limit ? userIds.at(-1) : undefined;
  return { userIds, provider, nextCursor: last === undefined ? null : writeCursor(filter, [last]) };
}

/** Rows by user, provider and resource, for every user of the page, including users without rows. */
export function groupRows<Row extends { readonly userId: string; readonly provider: string; readonly resource: string }>(
  userIds: readonly string[],
  rows: readonly Row[],
): ReadonlyMap<string, ReadonlyMap<string, ReadonlyMap<string, readonly Row[]>>> {
  const users = new Map(userIds.map((userId) => [userId, new Map<string, Map<string, Row[]>>()]));
  for (const row of rows) {
    const providers = users.get(row.userId);
    if (!providers) continue;
    const resources = providers.get(row.provider) ?? new Map<string, Row[]>();
    providers.set(row.provider, resources);
    resources.set(row.resource, [...(resources.get(row.resource) ?? []), row]);
  }
  return users;
}
