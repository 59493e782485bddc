import type { Database } from '@pulsewire/database';
import { summariesOf } from './stored.ts';
import type { ConformanceWorld } from './world.ts';

const resourceOf = { workout: 'workouts', sleep: 'sleep' } as const;

/** What is deleted without a word is removed once its days are read again, but not by a reading of which a part cannot be read. */
export async function problemsWithDeletions(database: Database, world: ConformanceWorld): Promise<readonly string[]> {
  const { simulator } = world;
  const kinds = simulator.capabilities.deletes ?? [];
  if (kinds.length === 0) return [];
  const problems: string[] = [];
  const dora = simulator.addAccount({ name: 'Deleting Dora', timeZone: 'Europe/Berlin', backlogMinutes: 12 * 60 });
  const linked = await world.link(dora);
  const settle = async () => {
    await simulator.pushes?.settled();
    await world.drainAll();
  };
  const readAgain = async () => {
    await world.readAgain(linked.connectionId);
    await settle();
  };
  const stored = async (kind: 'workout' | 'sleep') =>
    (await summariesOf(database, linked.userId)).filter(({ resource }) => resource === resourceOf[kind]).length;
  await settle();
  // By now the day of what is deleted lies within the history, not at its end.
  world.clock.advance(2 * 24 * 3_600_000);
  for (const kind of kinds) {
    const before = await stored(kind);
    if (dora.deleteSilently(kind).length === 0) problems.push(`${kind}: there was none to delete`);
    simulator.faults.force('malformed_item', 10_000);
    await readAgain();
    simulator.faults.clear();
    const unread = await stored(kind);
    await readAgain();
    const after = await stored(kind);
    if (unread !== before || after !== before - 1) problems.push(`${kind}: ${before}, then ${unread} and ${after}`);
  }
  await world.deregister(linked.userId);
  return problems;
}
