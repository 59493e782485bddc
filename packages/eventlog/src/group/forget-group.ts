import { AppError, sleep, systemClock, type Clock } from '@pulsewire/kernel';
import { eq } from 'drizzle-orm';
import { run, type Database } from '@pulsewire/database';
import { logMembers, logPositions } from '../model/tables.ts';
import { readMarks } from './members.ts';

/** Observation period before a group is forgotten: longer than a lease and several heartbeats. */
const observedMs = 6000;
const checkEveryMs = 500;

/**
 * Forgets a group that is not used any more. Until then retention keeps every event that it has not read. Takes some seconds when
 * members have not left. Returns false when there is no such group. Throws AppError `group_in_use` while a member lives.
 */
export async function forgetGroup(database: Database, group: string, clock: Clock = systemClock): Promise<boolean> {
  const before = await readMarks(database, group);
  const lives = (marks: ReadonlyMap<string, string>) => [...marks].some(([member, mark]) => before.get(member) !== mark);
  const endMs = clock.monotonicMs() + (before.size === 0 ? 0 : observedMs);
  while (clock.monotonicMs() < endMs && !lives(await readMarks(database, group))) await sleep(checkEveryMs);
  return database.transaction(async (tx) => {
    if (lives(await readMarks(tx, group)))
      throw new AppError({
        code: 'group_in_use',
        kind: 'conflict',
        message: 'A member of this group is still running: it has just sent a heartbeat',
      });
    await run(tx.orm.delete(logMembers).where(eq(logMembers.consumer, group)));
    const { consumer, shard } = logPositions;
    return (await run(tx.orm.delete(logPositions).where(eq(consumer, group)).returning({ shard }))).length > 0;
  });
}
