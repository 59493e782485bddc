import type { ReplayBody, ReplayListBody, ReplayListQuery } from '@pulsewire/contract';
import type { EndpointContext } from '../model/context.ts';
import { decodeCursor, encodeCursor } from '../model/cursor.ts';
import { findEndpointRow } from '../model/endpoint-row.ts';
import { findReplayRow, replayColumns, toReplayBody, type ReplayRow } from './replay-row.ts';

/** Lists the replays of an endpoint, newest first. Throws AppErrors `endpoint_not_found`, `cursor_invalid`. */
export async function listReplays(
  { database }: EndpointContext,
  teamId: string,
  endpointId: string,
  query: ReplayListQuery,
): Promise<ReplayListBody> {
  const { sql } = database;
  await findEndpointRow(database, teamId, endpointId);
  const { status = null, limit } = query;
  const scope = `replays:${endpointId}:${status ?? ''}`;
  const after = query.next_cursor === undefined ? null : decodeCursor(scope, query.next_cursor);
  const byCursor = after === null ? sql`` : sql`AND (created_at, replay_id) < (${after.at}::timestamptz, ${after.id}::uuid)`;
  const rows = await sql<ReplayRow[]>`
    SELECT ${sql.unsafe(replayColumns)} FROM webhook_replays
    WHERE team_id = ${teamId} AND endpoint_id = ${endpointId} AND (${status}::text IS NULL OR status = ${status}) ${byCursor}
    ORDER BY created_at DESC, replay_id DESC LIMIT ${limit + 1}`;
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const isLastPage = rows.length <= limit || last === undefined;
  return { data: page.map(toReplayBody), next_cursor: isLastPage ? null : encodeCursor(scope, last.created_at, last.replay_id) };
}

/** Returns one replay with its progress. Throws AppError `replay_not_found`. */
export async function getReplay({ database }: EndpointContext, teamId: string, endpointId: string, replayId: string): Promise<ReplayBody> {
  return toReplayBody(await findReplayRow(database, teamId, endpointId, replayId));
}
