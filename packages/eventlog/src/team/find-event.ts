import { plainArray, type Executor } from '@pulsewire/database';
import { headerColumns, toHeader, type EventHeader, type HeaderRow } from './header.ts';

/** The header of a team's event; undefined when it is unknown, dropped by retention, or another team's. */
export async function findTeamEvent({ sql }: Executor, teamId: string, eventId: string): Promise<EventHeader | undefined> {
  const [row] = await sql<HeaderRow[]>`
    SELECT ${sql.unsafe(headerColumns)} FROM log_events WHERE event_id = ${eventId} AND team_id = ${teamId} LIMIT 1`;
  return row && toHeader(row);
}

/** Headers at these addresses; those dropped by retention are missing from the result. */
export async function readHeaders(
  { sql }: Executor,
  addresses: readonly { readonly shard: number; readonly offset: number; readonly day: string }[],
): Promise<readonly EventHeader[]> {
  if (addresses.length === 0) return [];
  const rows = await sql<HeaderRow[]>`
    SELECT ${sql.unsafe(headerColumns)} FROM log_events
    WHERE (shard, "offset", day) IN (
      SELECT * FROM unnest(
        ${plainArray(addresses.map(({ shard }) => shard))}::smallint[], ${plainArray(addresses.map(({ offset }) => offset))}::bigint[],
        ${plainArray(addresses.map(({ day }) => day))}::date[]))`;
  return rows.map(toHeader);
}
