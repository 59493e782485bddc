import { plainArray, type Executor } from '@pulsewire/database';

/** A part of a provider's response that was quarantined: the reason, and its place in the response. */
export interface SetAside {
  readonly windowId: string;
  readonly resource: string;
  readonly reason: string;
  readonly pointer: string;
  readonly sightings: number;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
}

const rowsMax = 1000;

/** The quarantined parts of these windows of a user, in the order in which they were first seen. */
export async function readSetAside(
  { sql }: Executor,
  { teamId, userId, windowIds }: { readonly teamId: string; readonly userId: string; readonly windowIds: readonly string[] },
): Promise<readonly SetAside[]> {
  if (windowIds.length === 0) return [];
  const rows = await sql<
    Record<'window_id' | 'resource' | 'reason' | 'pointer' | 'sightings' | 'first_seen_at' | 'last_seen_at', string>[]
  >`
    SELECT window_id, resource, reason, pointer, sightings, first_seen_at, last_seen_at FROM quarantine
    WHERE team_id = ${teamId} AND user_id = ${userId} AND window_id = ANY(${plainArray(windowIds)}::bigint[])
    ORDER BY first_seen_at, resource, reason, pointer LIMIT ${rowsMax}`;
  return rows.map((row) => ({
    windowId: row.window_id,
    resource: row.resource,
    reason: row.reason,
    pointer: row.pointer,
    sightings: Number(row.sightings),
    firstSeenAt: new Date(row.first_seen_at),
    lastSeenAt: new Date(row.last_seen_at),
  }));
}
