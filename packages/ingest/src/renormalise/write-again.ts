import { AppError, uuidv7 } from '@pulsewire/kernel';
import { connectionForPull, type PullConnection } from '@pulsewire/connections';
import type { CanonicalRecord } from '@pulsewire/contract';
import { isDataError, type Database, type Executor, type Tx } from '@pulsewire/database';
import { withEvents, type Emit } from '@pulsewire/eventlog';
import type { Connector, PulledPage, PullLane } from '@pulsewire/providers';
import { claimUser, writeRecords, writeRecordsApart, type RecordBatch } from '@pulsewire/store';
import { withinBounds } from '../plan/within-bounds.ts';
import { laneOf, linkedAtMs } from '../push/apply/write-pushed.ts';
import type { VaultRun } from '../vault/vault-runs.ts';
import type { RenormaliseTally } from './renormalise-tally.ts';
import type { WritePage } from '../vault/replay-run.ts';

/** Gives what stores the pages of a run; null when its connection is gone. */
export type OpenRun = (run: VaultRun) => Promise<WritePage | null>;

export interface WriteOptions {
  /** Only these; null: everything. */
  readonly resources: readonly string[] | null;
  /** Nothing is left of what was written, and nothing is emitted. */
  readonly isDryRun: boolean;
}

interface Target {
  readonly connection: PullConnection;
  readonly connector: Connector;
  readonly run: VaultRun;
}

/**
 * Nothing may be written for a user who was erased meanwhile. Asked after the write: it holds the user's lock in the store, so an
 * erasure has either ended and taken the run along, or waits and will take what was written.
 */
async function checkStillKept({ sql }: Tx, { runId, day }: VaultRun): Promise<void> {
  const [row] = await sql`SELECT 1 FROM raw_answers WHERE run_id = ${runId} AND day = ${day} LIMIT 1`;
  if (!row) throw new AppError({ code: 'vault_run_gone', kind: 'not_found', message: 'The answers were erased or dropped meanwhile' });
}

/** A page of a pull is in the lane of its window; what a push brought is in the lanes in which it was written then. */
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
  { traceId, isApart }: { readonly traceId: string; readonly isApart: boolean },
): Promise<Partial<RenormaliseTally>> {
  const { connection, connector, run } = target;
  const sum = { records: 0, created: 0, updated: 0, streams: 0, removed: 0, events: 0, quarantined: page.quarantined.length };
  for (const [lane, records] of await inLanes(tx, target, withinBounds(page.records, connection))) {
    const batch: RecordBatch = {
      owner: { teamId: run.teamId, userId: run.userId, clientUserId: connection.clientUserId },
      version: page.version,
      origin: lane === 'backfill' ? 'historical' : 'live',
      records,
      sourceId: connector.sourceId,
      traceId,
    };
    const { outcome, refused } = isApart
      ? await writeRecordsApart(tx, emit, batch)
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
  return sum;
}

/** Holds the rollback of a dry run. */
class CountedError extends Error {
  override readonly name = 'CountedError';
}

/**
 * Runs `work` for one user with what stores the pages of the user's runs: a transaction for each page. A dry run is one
 * transaction for all of them, so that each page finds what those before it would have left, and is rolled back.
 */
export async function writeAgain(
  database: Database,
  connector: Connector,
  userId: string,
  { resources, isDryRun }: WriteOptions,
  tally: RenormaliseTally,
  work: (open: OpenRun) => Promise<void>,
): Promise<void> {
  const traceId = uuidv7().replaceAll('-', '');
  const connections = new Map<string, PullConnection | null>();
  const isMeant = ({ resource }: { readonly resource: string }) => resources?.includes(resource) ?? true;

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
        write: (tx: Tx, emit: Emit, isApart: boolean) => Promise<Partial<RenormaliseTally>>,
      ) => Promise<Partial<RenormaliseTally>>,
    ): OpenRun =>
    async (run) => {
      const connection = await connectionOf(run);
      if (!connection) return null;
      return async ({ version, records, quarantined }) => {
        const page = { version, records: records.filter(isMeant), quarantined: quarantined.filter(isMeant) };
        tally.add(
          await inTransaction((tx, emit, isApart) => writePage(tx, emit, { connection, connector, run }, page, { traceId, isApart })),
        );
      };
    };

  if (!isDryRun) {
    const storePage = (write: (tx: Tx, emit: Emit, isApart: boolean) => Promise<Partial<RenormaliseTally>>) =>
      withEvents(database, (tx, emit) => write(tx, emit, false)).catch((error: unknown) => {
        if (!isDataError(error)) throw error;
        return withEvents(database, (tx, emit) => write(tx, emit, true));
      });
    return work(openIn(storePage));
  }
  await database
    .transaction(async (tx) => {
      // Else it and a writer of the same user, each with a series that the other wants, could wait for each other.
      await claimUser(tx, userId);
      await work(openIn((write) => write(tx, () => {}, true)));
      throw new CountedError('Counted, and taken back');
    })
    .catch((error: unknown) => {
      if (!(error instanceof CountedError)) throw error;
    });
}
