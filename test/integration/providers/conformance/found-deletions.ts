import type { Database } from '@pulsewire/database';
import type { SimulatedAccount } from '@pulsewire/sandbox';
import { samplesOf, summariesOf } from './stored.ts';
import type { ConformanceHarness } from './harness.ts';

// Enough for a second item of each kind beside the deleted one; the history is read three times.
const daysMax = 8;
/** Of the account; the clock advances by two days before it is linked. */
const accountDays = daysMax + 12;

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

interface Deletion {
  readonly kind: Kind;
  readonly resources: readonly string[];
  /** What was deleted, by its time. */
  isWithin(item: Item): boolean;
}

/** Deletes at the provider. Null: nothing to delete. */
function deleteAt(account: SimulatedAccount, kind: Kind, resources: readonly string[]): Deletion | null {
  const changes = kind === 'morning' ? account.deleteMornings() : account.deleteSilently(kind);
  const stretches = changes.map((gone) => ('fromMs' in gone ? gone : { fromMs: gone.startMs, toMs: gone.endMs }));
  if (stretches.length === 0) return null;
  return { kind, resources, isWithin: ({ ms }) => stretches.some(({ fromMs, toMs }) => ms >= fromMs && ms < toMs) };
}

/** Problems with the removed items: too few or too many of a resource, or one that should have stayed. */
function problemsOf(deletions: readonly Deletion[], before: readonly Item[], gone: readonly Item[]): readonly string[] {
  const deletionsOf = (resource: string) => deletions.filter(({ resources }) => resources.includes(resource));
  // Only mornings delete by time alone: a workout or night may take records with it whose time is outside, such as that of its day.
  const matches = (item: Item, { kind, isWithin }: Deletion) =>
    isWithin(item) || (kind !== 'morning' && deletionsOf(item.resource).length === 1);
  const ofResource = deletions.flatMap((deletion) =>
    deletion.resources.flatMap((resource) => {
      const ofIt = (items: readonly Item[]) => items.filter((item) => item.resource === resource && matches(item, deletion));
      const [had, lost] = [ofIt(before), ofIt(gone)];
      const isRight = deletion.kind === 'morning' ? lost.length === had.length : lost[0]?.isSummary === false || lost.length === 1;
      return lost.length > 0 && isRight ? [] : [`${deletion.kind}: of ${had.length} ${resource} ${lost.length} are gone`];
    }),
  );
  const others = gone.filter((item) => !deletionsOf(item.resource).some((deletion) => matches(item, deletion)));
  return [...ofResource, ...others.map(({ resource, ms }) => `${resource} at ${new Date(ms).toISOString()} is gone`)].slice(0, 20);
}

/** Checks that silent deletions are found when the days are read again, but not by a reading with an unreadable part. */
export async function problemsWithDeletions(database: Database, harness: ConformanceHarness): Promise<readonly string[]> {
  const { simulator } = harness;
  const deletes = Object.entries(simulator.capabilities.deletes ?? {}) as [Kind, readonly string[]][];
  if (deletes.length === 0) return [];
  const dora = simulator.addAccount({
    name: 'Deleting Dora',
    timeZone: 'Europe/Berlin',
    historyDays: accountDays,
    backlogMinutes: 12 * 60,
  });
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
  const before = await stored();
  const deletions = deletes.flatMap(([kind, resources]) => deleteAt(dora, kind, resources) ?? []);
  const missing = deletes.filter(([kind]) => !deletions.some((deletion) => deletion.kind === kind));
  const problems = missing.map(([kind]) => `${kind}: there was none to delete`);
  simulator.faults.force('malformed_item', 10_000);
  await readAgain();
  simulator.faults.clear();
  const unread = goneSince(before, await stored());
  if (unread.length > 0) problems.push(`${unread.length} are gone though a part could not be read: ${unread[0]?.resource}`);
  await readAgain();
  problems.push(...problemsOf(deletions, [...before.values()], goneSince(before, await stored())));
  await harness.deregister(linked.userId);
  return problems;
}

function goneSince(before: ReadonlyMap<string, Item>, now: ReadonlyMap<string, Item>): readonly Item[] {
  return [...before].flatMap(([key, item]) => (now.has(key) ? [] : [item]));
}
