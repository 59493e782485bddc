import type { Database } from '@pulsewire/database';
import type { SimulatedAccount } from '@pulsewire/sandbox';
import { samplesOf, summariesOf } from './stored.ts';
import type { ConformanceHarness } from './harness.ts';

// The history is read up to seven times, and need not have many days for that.
const daysMax = 8;

type Kind = 'workout' | 'sleep' | 'morning';

interface Item {
  readonly resource: string;
  readonly isSummary: boolean;
  readonly ms: number;
}

async function itemsOf(database: Database, userId: string): Promise<ReadonlyMap<string, Item>> {
  const summaries = (await summariesOf(database, userId)).map(({ resource, source_type: source, at_ms: ms, data }): [string, Item] => {
    return [`${resource} ${source} ${ms} ${String(data['id'])}`, { resource, isSummary: true, ms }];
  });
  const samples = (await samplesOf(database, userId)).map(
    ({ resource, sub_kind: subKind, source_type: source, ts_ms: ms }): [string, Item] => {
      return [`${resource} ${subKind} ${source} ${ms}`, { resource, isSummary: false, ms }];
    },
  );
  return new Map([...summaries, ...samples]);
}

/** Deletes at the provider; returns a predicate for the stored items that may be deleted, by their time. Null: nothing to delete. */
function deleteAt(account: SimulatedAccount, kind: Kind): ((item: Item) => boolean) | null {
  if (kind !== 'morning') return account.deleteSilently(kind).length === 0 ? null : () => true;
  const stretches = account.deleteMornings();
  return ({ ms }) => stretches.some(({ fromMs, toMs }) => ms >= fromMs && ms < toMs);
}

/** Problems with the removed items: too few or too many of a resource, or one that should have stayed. */
function problemsOf(
  kind: Kind,
  resources: readonly string[],
  before: Iterable<Item>,
  gone: readonly Item[],
  isMeant: (item: Item) => boolean,
) {
  const all = [...before];
  const ofResource = resources.flatMap((resource) => {
    const lost = gone.filter((item) => item.resource === resource);
    const had = all.filter((item) => item.resource === resource && isMeant(item));
    const isRight = kind === 'morning' ? lost.length === had.length : lost[0]?.isSummary === false || lost.length === 1;
    return lost.length > 0 && isRight ? [] : [`${kind}: of ${had.length} ${resource} ${lost.length} are gone`];
  });
  const others = gone.filter((item) => !resources.includes(item.resource) || !isMeant(item));
  return [...ofResource, ...others.map(({ resource, ms }) => `${kind}: ${resource} at ${new Date(ms).toISOString()} is gone`)].slice(0, 20);
}

/** Checks that silent deletions are found when the days are read again, but not by a reading with an unreadable part. */
export async function problemsWithDeletions(database: Database, harness: ConformanceHarness): Promise<readonly string[]> {
  const { simulator } = harness;
  const deletes = Object.entries(simulator.capabilities.deletes ?? {}) as [Kind, readonly string[]][];
  if (deletes.length === 0) return [];
  const problems: string[] = [];
  const dora = simulator.addAccount({ name: 'Deleting Dora', timeZone: 'Europe/Berlin', backlogMinutes: 12 * 60 });
  const linked = await harness.link(dora, {}, daysMax);
  const settle = async () => {
    await simulator.pushes?.settled();
    await harness.drainAll();
  };
  const readAgain = async () => {
    await harness.readAgain(linked.connectionId);
    await settle();
  };
  const stored = () => itemsOf(database, linked.userId);
  const goneSince = async (before: ReadonlyMap<string, Item>) => {
    const now = await stored();
    return [...before].flatMap(([key, item]) => (now.has(key) ? [] : [item]));
  };
  await settle();
  // Now the days of the deleted items are within the history, not at its end.
  harness.clock.advance(2 * 24 * 3_600_000);
  await readAgain();
  for (const [kind, resources] of deletes) {
    const before = await stored();
    const isMeant = deleteAt(dora, kind);
    if (!isMeant) {
      problems.push(`${kind}: there was none to delete`);
      continue;
    }
    simulator.faults.force('malformed_item', 10_000);
    await readAgain();
    simulator.faults.clear();
    const unread = await goneSince(before);
    if (unread.length > 0) problems.push(`${kind}: ${unread.length} are gone though a part could not be read`);
    await readAgain();
    problems.push(...problemsOf(kind, resources, before.values(), await goneSince(before), isMeant));
  }
  await harness.deregister(linked.userId);
  return problems;
}
