import { and, desc, eq, sql } from 'drizzle-orm';
import { run } from '@pulsewire/database';
import type { ReplayBody, ReplayListBody, ReplayListQuery } from '@pulsewire/contract';
import type { EndpointContext } from '../model/context.ts';
import { decodeCursor, encodeCursor } from '../model/cursor.ts';
import { findEndpointRow } from '../model/endpoint-row.ts';
import { webhookReplays } from '../model/tables.ts';
import { findReplayRow, toReplayBody } from './replay-row.ts';

/** Lists the replays of an endpoint, newest first. Throws AppErrors `endpoint_not_found`, `cursor_invalid`. */
export async function listReplays(
  { database }: EndpointContext,
  teamId: string,
  endpointId: string,
  query: ReplayListQuery,
): Promise<ReplayListBody> {
  await findEndpointRow(database, teamId, endpointId);
  const { status, limit } = query;
  const scope = `replays:${endpointId}:${status ?? ''}`;
  const after = query.next_cursor === undefined ? null : decodeCursor(scope, query.next_cursor);
  const { createdAt, replayId } = webhookReplays;
  const rows = await run(
    database.orm
      .select()
      .from(webhookReplays)
      .where(
        and(
          eq(webhookReplays.teamId, teamId),
          eq(webhookReplays.endpointId, endpointId),
          status === undefined ? undefined : eq(webhookReplays.status, status),
          after === null ? undefined : sql`(${createdAt}, ${replayId}) < (${after.at}::timestamptz, ${after.id}::uuid)`,
        ),
      )
      .orderBy(desc(createdAt), desc(replayId))
      .limit(limit + 1),
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const isLastPage = rows.length <= limit || last === undefined;
  return { data: page.map(toReplayBody), next_cursor: isLastPage ? null : encodeCursor(scope, last.createdAt, last.replayId) };
}

/** Returns one replay with its progress. Throws AppError `replay_not_found`. */
export async function getReplay({ database }: EndpointContext, teamId: string, endpointId: string, replayId: string): Promise<ReplayBody> {
  return toReplayBody(await findReplayRow(database, teamId, endpointId, replayId));
}
