import { and, eq } from 'drizzle-orm';
import { AppError, uuidv7, recordSpan } from '@pulsewire/kernel';
import { connectionForPull, readResourceHandover, type PullConnection } from '@pulsewire/connections';
import type { CanonicalRecord } from '@pulsewire/contract';
import { isDataError, run as runQuery, type Database, type Executor, type Tx } from '@pulsewire/database';
import { withEvents, type Emit } from '@pulsewire/eventlog';
import type { Connector, PulledPage, PullLane } from '@pulsewire/providers';
import { lockRecords, writeRecords, writeRecordsBisecting, type RecordBatch } from '@pulsewire/store';
import { withinBounds, withinOwnDays } from '../records/day-filters.ts';
import { confirmSeen } from '../records/seen-again.ts';
import { pullPlans, rawResponses } from '../model/tables.ts';
import { recordChange } from '../window/cursors.ts';
import { forgetReadings } from '../window/last-reading.ts';
import { laneOf, linkedAtMs } from '../push/apply/write-pushed.ts';
import type { VaultRun } from '../vault/vault-runs.ts';
import { offsetsFromOf, rawCipherOf } from '../context/pullable.ts';
import type { VaultCipher } from '../sealed/seal-part.ts';
import type { RenormaliseTally } from './renormalise-tally.ts';
import type { WritePage } from '../vault/replay-run.ts';

/** Returns a function that stores the pages of a run; null when its connection no longer exists. */
export type OpenRun = (run: VaultRun) => Promise<WritePage | null>;

export interface WriteOptions {
  /** Resources to write; null: all. */
  readonly resources: readonly string[] | null;
  /** All writes are rolled back, and no event is emitted. */
  readonly isDryRun: boolean;
}

interface Target {
  readonly connection: PullConnection;
  readonly connector: Connector;
  readonly run: VaultRun;
  readonly cipher: VaultCipher;
}

/**
 * Nothing may be written for a user who was erased in the meantime. Checked after the write, which holds the user's lock in the store: an
 * erasure has either finished and deleted the run, or it waits and will delete what was written.
 */
async function checkStillKept({ orm }: Tx, { runId, day }: VaultRun): Promise<void> {
  const isOfRun = and(eq(rawResponses.runId, runId), eq(rawResponses.day, day));
  const [row] = await runQuery(orm.select({ part: rawResponses.part }).from(rawResponses).where(isOfRun).limit(1));
  if (!row)
    throw new AppError({ code: 'vault_run_gone', kind: 'not_found', message: 'The responses have been erased or dropped in the meantime' });
}

/** A page of a pull has the lane of its window; pushed data keeps the lanes in which it was originally written. */
async function inLanes(
  executor: Executor,
  target: Target,
  records: readonly CanonicalRecord[],
): Promise<Map<PullLane, readonly CanonicalRecord[]>> {
  if (target.run.source === 'pull') return new Map([[target.run.lane, records]]);
  const linkedMs = await linkedAtMs(executor, target);
  return Map.groupBy(records, (record) => laneOf(record, linkedMs));
}

async function writePage(
  tx: Tx,
  emit: Emit,
  target: Target,
  page: PulledPage,
  { traceId, isolatesRefused }: { readonly traceId: string; readonly isolatesRefused: boolean },
): Promise<Partial<RenormaliseTally>> {
  const { connection, connector, run } = target;
  const sum = { records: 0, created: 0, updated: 0, streams: 0, removed: 0, events: 0, quarantined: page.quarantined.length };
  // Before the handover: packages/database/LOCKS.md.
  await lockRecords(tx, run.userId);
  const handover = await readResourceHandover(tx, connection, true);
  const own = handover ? withinOwnDays(page.records, handover) : page.records;
  for (const [lane, records] of await inLanes(tx, target, withinBounds(own, connection))) {
    const batch: RecordBatch = {
      owner: { teamId: run.teamId, userId: run.userId, clientUserId: connection.clientUserId },
      version: page.version,
      origin: lane === 'backfill' ? 'historical' : 'live',
      records,
      sourceId: connector.sourceId,
      traceId,
      offsetsFrom: offsetsFromOf(target),
      rawCipher: rawCipherOf(target, connection),
    };
    const { outcome, refused } = isolatesRefused
      ? await writeRecordsBisecting(tx, emit, batch)
      : { outcome: await writeRecords(tx, emit, batch), refused: [] };
    sum.quarantined += refused.length;
    sum.records += outcome.samplesReceived + outcome.summariesReceived + records.filter(({ kind }) => kind === 'stream').length;
    sum.created += outcome.samplesCreated + outcome.summariesCreated;
    sum.updated += outcome.samplesUpdated + outcome.summariesUpdated;
    sum.streams += outcome.streamsWritten;
    sum.removed += outcome.removed;
    sum.events += outcome.events;
  }
  await checkStillKept(tx, run);
  if (sum.created + sum.updated + sum.streams + sum.removed > 0) await recordChange(tx, run.connectionId, null);
  return sum;
}

/**
 * What was only seen again counts as received again, as if it had been stored then, and the next polls are compared with what the current
 * mappers make of the vault.
 */
async function forgetLastReadings(tx: Tx, { slug }: Connector, userId: string): Promise<void> {
  const { connectionId, provider } = pullPlans;
  const isOf = and(eq(pullPlans.userId, userId), eq(provider, slug));
  const plans = await runQuery(tx.orm.select({ connectionId }).from(pullPlans).where(isOf));
  const forgotten = await forgetReadings(
    tx,
    plans.map((plan) => plan.connectionId),
  );
  await confirmSeen(tx, userId, forgotten);
}

/** Thrown to roll back a dry run. */
class CountedError extends Error {
  override readonly name = 'CountedError';
}

/**
 * Runs `work` for one user with a writer for the pages of the user's runs. Each page is one transaction. A dry run uses one transaction for
 * all pages, so that each page sees the effect of the earlier ones, and rolls it back.
 */
export async function writeAgain(
  { database, cipher }: { readonly database: Database; readonly cipher: VaultCipher },
  connector: Connector,
  userId: string,
  { resources, isDryRun }: WriteOptions,
  tally: RenormaliseTally,
  work: (open: OpenRun) => Promise<void>,
): Promise<void> {
  const traceId = uuidv7().replaceAll('-', '');
  const connections = new Map<string, PullConnection | null>();
  const isRequested = ({ resource }: { readonly resource: string }) => resources?.includes(resource) ?? true;

  async function connectionOf({ connectionId, teamId }: VaultRun): Promise<PullConnection | null> {
    if (!connections.has(connectionId)) {
      const found = await connectionForPull(database, connectionId);
      connections.set(connectionId, found?.teamId === teamId && found.userId === userId ? found : null);
    }
    return connections.get(connectionId) ?? null;
  }

  const openIn =
    (
      inTransaction: (
        write: (tx: Tx, emit: Emit, isolatesRefused: boolean) => Promise<Partial<RenormaliseTally>>,
      ) => Promise<Partial<RenormaliseTally>>,
    ): OpenRun =>
    async (run) => {
      const connection = await connectionOf(run);
      if (!connection) return null;
      return async ({ version, records, quarantined }) => {
        const page = { version, records: records.filter(isRequested), quarantined: quarantined.filter(isRequested) };
        tally.add(
          await inTransaction((tx, emit, isolatesRefused) =>
            writePage(tx, emit, { connection, connector, run, cipher }, page, { traceId, isolatesRefused }),
          ),
        );
      };
    };

  if (!isDryRun) {
    const storePage = (write: (tx: Tx, emit: Emit, isolatesRefused: boolean) => Promise<Partial<RenormaliseTally>>) =>
      withEvents(database, (tx, emit) => write(tx, emit, false)).catch((error: unknown) => {
        if (!isDataError(error)) throw error;
        return withEvents(database, (tx, emit) => write(tx, emit, true));
      });
    const startedMs = performance.now();
    await database.transaction(async (tx) => {
      await lockRecords(tx, userId);
      await forgetLastReadings(tx, connector, userId);
    });
    await work(openIn(storePage));
    recordSpan({ name: 'renormalise user', traceId, isRoot: true, durationMs: performance.now() - startedMs });
    return;
  }
  await database
    .transaction(async (tx) => {
      // Otherwise this and a concurrent writer of the same user could deadlock, each holding a series that the other needs.
      await lockRecords(tx, userId);
      await forgetLastReadings(tx, connector, userId);
      await work(openIn((write) => write(tx, () => {}, true)));
      throw new CountedError('Dry run: counted and rolled back');
    })
    .catch((error: unknown) => {
      if (!(error instanceof CountedError)) throw error;
    });
}
