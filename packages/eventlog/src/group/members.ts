import type { Database, Executor, Sql } from '@pulsewire/database';
import type { Member } from './member.ts';

/** The last heartbeat of each member of a group: compared for changes only, because clocks may be adjusted. */
export async function readMarks(sql: Sql, group: string): Promise<ReadonlyMap<string, string>> {
  const rows = await sql<{ member: string; mark: string }[]>`
    SELECT member, seen_at::text AS mark FROM log_members WHERE consumer = ${group}`;
  return new Map(rows.map(({ member, mark }) => [member, mark]));
}

/** Members of a group, in order. Includes a dead one until another member has observed its silence for the duration of a lease. */
export async function liveMembers({ sql }: Database, group: string): Promise<readonly string[]> {
  const rows = await sql<{ member: string }[]>`SELECT member FROM log_members WHERE consumer = ${group} ORDER BY member`;
  return rows.map(({ member }) => member);
}

/** Leaves the group. */
export async function leaveGroup(database: Database, member: Member): Promise<void> {
  await database.sql`UPDATE log_positions SET owner = NULL WHERE consumer = ${member.group} AND owner = ${member.memberId}`;
  await database.sql`DELETE FROM log_members WHERE consumer = ${member.group} AND member = ${member.memberId}`;
}

/** Removes the members that were running when a backup was made, so that their shards are free at once. Positions stay. Returns their number. */
export async function dropMembers({ sql }: Executor): Promise<number> {
  return (await sql`DELETE FROM log_members RETURNING 1`).length;
}
