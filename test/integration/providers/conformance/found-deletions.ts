import type { Database } from '@pulsewire/database';
import type { SimulatedAccount } from '@pulsewire/sandbox';
import { samplesOf, summariesOf } from './stored.ts';
import type { ConformanceHarness } from './harness.ts';

// Enough for a second item of each kind beside the deleted one; the history is read three times or more.
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

interface Deletion {
  readonly kind: Kind;
  readonly resources: readonly string[];
  readonly isMeant: (item: Item) => boolean;
}

/** The kinds in groups without a common resource: what is gone of a group can be attributed to one of its kinds. */
function groupsOf(deletes: readonly (readonly [Kind, readonly string[]])[]) {
  const groups: (readonly [Kind, readonly string[]])[][] = [];
  for (const entry of deletes) {
    const taken = (group: (typeof groups)[number]) => group.some(([, resources]) => resources.some((name) => entry[1].includes(name)));
    const free = groups.find((group) => !taken(group));
    if (free) free.push(entry);
    else groups.push([entry]);
  }
  return groups;
}

/** Problems with the removed items: too few or too many of a resource, or one that should have stayed. */
function problemsOf(deletions: readonly Deletion[], before: readonly Item[], gone: readonly Item[]): readonly string[] {
  const ofResource = deletions.flatMap(({ kind, resources, isMeant }) =>
    resources.flatMap((resource) => {
      const lost = gone.filter((item) => item.resource === resource);
      const had = before.filter((item) => item.resource === resource && isMeant(item));
      const isRight = kind === 'morning' ? lost.length === had.length : lost[0]?.isSummary === false || lost.length === 1;
      return lost.length > 0 && isRight ? [] : [`${kind}: of ${had.length} ${resource} ${lost.length} are gone`];
    }),
  );
  const others = gone.filter((item) => !deletions.some(({ resources, isMeant }) => resources.includes(item.resource) && isMeant(item)));
  return [...ofResource, ...others.map(({ resource, ms }) => `${resource} at ${new Date(ms).toISOString()} is gone`)].slice(0, 20);
}

/** Checks that silent deletions are found when the days are read again, but not by a reading with an unreadable part. */
export async function problemsWithDeletions(database: Database, harness: ConformanceHarness): Promise<readonly string[]> {
  const { simulator } = harness;
  const deletes = Object.entries(simulator.capabilities.deletes ?? {}) as [Kind, readonly string[]][];
  if (deletes.length === 0) return [];
  const problems: string[] = [];
  const dora = simulator.addAccount({ name: 'Deleting Dora', timeZone: 'Europe/Berlin', backlogMinutes: 12 * 60 });
  // The days of the deleted items are within the history, not at its end.
  harness.clock.advance(2 * 24 * 3_600_000);
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
  await settle();
  let before = await stored();
  for (const group of groupsOf(deletes)) {
    const deletions = group.flatMap(([kind, resources]): Deletion[] => {
      const isMeant = deleteAt(dora, kind);
      if (!isMeant) problems.push(`${kind}: there was none to delete`);
      return isMeant ? [{ kind, resources, isMeant }] : [];
    });
    simulator.faults.force('malformed_item', 10_000);
    await readAgain();
    simulator.faults.clear();
    const unread = goneSince(before, await stored());
    if (unread.length > 0) problems.push(`${unread.length} are gone though a part could not be read: ${unread[0]?.resource}`);
    await readAgain();
    const after = await stored();
    problems.push(...problemsOf(deletions, [...before.values()], goneSince(before, after)));
    before = after;
  }
  await harness.deregister(linked.userId);
  return problems;
}

function goneSince(before: ReadonlyMap<string, Item>, now: ReadonlyMap<string, Item>): readonly Item[] {
  return [...before].flatMap(([key, item]) => (now.has(key) ? [] : [item]));
}
