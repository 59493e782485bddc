import { and, eq } from 'drizzle-orm';
import { run, type Database, type Executor } from '@pulsewire/database';
import { logMembers, logPositions } from '../model/tables.ts';
import type { Member } from './member.ts';

/** The last heartbeat of each member of a group: compared for changes only, because clocks may be adjusted. */
export async function readMarks({ orm }: Executor, group: string): Promise<ReadonlyMap<string, string>> {
  const { member, seenAt } = logMembers;
  const rows = await run(orm.select({ member, seenAt }).from(logMembers).where(eq(logMembers.consumer, group)));
  return new Map(rows.map((row) => [row.member, row.seenAt]));
}

/** Members of a group, in order. Includes a dead one until another member has observed its silence for the duration of a lease. */
export async function liveMembers({ orm }: Executor, group: string): Promise<readonly string[]> {
  const { consumer, member } = logMembers;
  const rows = await run(orm.select({ member }).from(logMembers).where(eq(consumer, group)).orderBy(member));
  return rows.map((row) => row.member);
}

/** Leaves the group. */
export async function leaveGroup({ orm }: Database, { group, memberId }: Member): Promise<void> {
  const { consumer, owner } = logPositions;
  await run(
    orm
      .update(logPositions)
      .set({ owner: null })
      .where(and(eq(consumer, group), eq(owner, memberId))),
  );
  await run(orm.delete(logMembers).where(and(eq(logMembers.consumer, group), eq(logMembers.member, memberId))));
}

/**
 * Removes the members that were running when a backup was made, so that their shards are free at once. Positions stay. Returns their
 * number.
 */
export async function dropMembers({ orm }: Executor): Promise<number> {
  return (await run(orm.delete(logMembers).returning({ member: logMembers.member }))).length;
}
