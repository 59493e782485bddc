import { eq } from 'drizzle-orm';
import { AppError, errorCode, exponentialDelayMs, isAppError, type Logger, type Metrics, WakeSignal } from '@pulsewire/kernel';
import { isDataError, run, writeBisecting, type Database, type Tx } from '@pulsewire/database';
import type { EventHeader } from '@pulsewire/eventlog';
import { webhookEndpoints } from '../../model/tables.ts';
import { earliestSince } from '../../replays/replay-request.ts';
import type { EndpointCache } from '../../routing/endpoint-cache.ts';
import type { MessageRouter } from '../../routing/message-router.ts';
import { quarantine } from '../outcomes/quarantine.ts';
import { insertReplayRows, matchBatch, type Match } from './match-batch.ts';
import { pointsLeft } from './points-left.ts';
import { countRows, endReplayBatch, removeCancelled, takeReplay, type RunningReplay, type ReplayBatchOutcome } from './lease-replay.ts';

export interface ReplayRunnerOptions {
  readonly database: Database;
  readonly cache: EndpointCache;
  readonly router: MessageRouter;
  readonly owner: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Most rows of a replay that may wait for their first attempt. */
  readonly rowsMax: number;
  /** Called when rows of an endpoint are due now. */
  onRows(endpointId: string): void;
}

const idleMs = 2000;
const pauseMs = 250;
const failurePauseMs = 1000;
const failurePauseMsMax = 60_000;
/** Failed batches in a row after which a replay ends: a quarter of an hour. */
const failuresMax = 20;
/** Factor by which more rows of a replay may wait for a retry than for their first attempt. */
const failedRowsTimes = 10;
const waiting: ReplayBatchOutcome = { progress: null, matched: 0, enqueued: 0, status: 'running', error: null, pauseMs };

/**
 * Runs replays: reads their range of the log in batches and inserts rows of kind replay, at most `rowsMax` without an attempt per replay.
 * Rotates among teams and their replays, a batch at a time under a lease, so any dispatcher can continue for another one. Rows and progress commit
 * together, so a crash neither loses nor repeats a batch.
 */
export class ReplayRunner {
  readonly #options: ReplayRunnerOptions;
  readonly #wake = new WakeSignal();
  /** Consecutive failed batches of replays whose last batch here failed. */
  readonly #failures = new Map<string, number>();

  constructor(options: ReplayRunnerOptions) {
    this.#options = options;
  }

  /** A replay was created or cancelled. */
  recheck(): void {
    this.#wake.set();
  }

  /** Runs until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { database, owner, logger } = this.#options;
    const wake = () => this.#wake.set();
    signal.addEventListener('abort', wake, { once: true });
    while (!signal.aborted) {
      try {
        await removeCancelled(database);
        let hasWorked = false;
        for (let replay = await takeReplay(database, owner); replay !== undefined; replay = await takeReplay(database, owner)) {
          hasWorked = true;
          await this.#runBatch(replay);
          if (signal.aborted) break;
        }
        if (!signal.aborted) await this.#wake.wait(hasWorked ? pauseMs : idleMs);
      } catch (error) {
        logger.warn({ errorCode: errorCode(error) }, 'replays.run_failed');
        if (!signal.aborted) await this.#wake.wait(failurePauseMs);
      }
    }
    signal.removeEventListener('abort', wake);
  }

  /** A failed batch must not delay other replays; throws only when the database is unavailable. */
  async #runBatch(replay: RunningReplay): Promise<void> {
    const { database, owner, logger, metrics } = this.#options;
    const { replayId, endpointId } = replay;
    try {
      await this.#advance(replay);
      this.#failures.delete(replayId);
    } catch (error) {
      // Rows may exist nevertheless, if only the response to COMMIT was lost.
      this.#options.onRows(endpointId);
      const failures = (this.#failures.get(replayId) ?? 0) + 1;
      const reason = failureReason(error, failures);
      logger.warn({ replayId, endpointId, errorCode: errorCode(error), failures, isGivenUp: reason !== null }, 'replay.batch_failed');
      metrics.count('webhook_replay_batch_failures_total');
      const outcome: ReplayBatchOutcome =
        reason === null
          ? { ...waiting, pauseMs: exponentialDelayMs(failures, failurePauseMs, failurePauseMsMax) }
          : { ...waiting, status: 'failed', error: reason };
      await endReplayBatch(database, replayId, owner, outcome);
      if (reason === null) this.#failures.set(replayId, failures);
      else this.#failures.delete(replayId);
    }
  }

  async #advance(replay: RunningReplay): Promise<void> {
    const { database, owner, rowsMax } = this.#options;
    const { replayId, endpointId } = replay;
    if (replay.sinceMs < earliestSince.getTime())
      return void (await endReplayBatch(database, replayId, owner, { ...waiting, status: 'failed', error: 'replay_since_invalid' }));
    const { open, untried } = await countRows(database, replayId);
    const left = await pointsLeft(database, replay);
    const isScanned = replay.progress !== null && left.points.length === 0;
    // Failed deliveries are retried by the schedule; the replay is complete once each delivery had an attempt.
    if (isScanned)
      return void (await endReplayBatch(database, replayId, owner, { ...waiting, status: untried === 0 ? 'completed' : 'running' }));
    // Failed deliveries may wait for days, which must not delay the rest, but their number is bounded.
    if (untried > rowsMax / 2 || open > failedRowsTimes * rowsMax) return void (await endReplayBatch(database, replayId, owner, waiting));
    const { cache } = this.#options;
    await cache.refresh();
    const endpoint = cache.table.endpoints.get(endpointId);
    const team = cache.table.teams.get(replay.teamId);
    if (endpoint === undefined || team === undefined) return this.#waitForEndpoint(replay);
    const { matches, progress } = await matchBatch(
      database,
      { replay, endpoint, team, router: this.#options.router, isHidden: (userId) => cache.table.isHidden(userId) },
      left,
      rowsMax - untried,
    );
    await this.#save(replay, { ...waiting, progress, matched: matches.length, pauseMs: 0 }, matches);
  }

  async #save(replay: RunningReplay, outcome: ReplayBatchOutcome, matches: readonly Match[]): Promise<void> {
    const { database, onRows } = this.#options;
    try {
      await database.transaction((tx) => this.#insert(tx, replay, outcome, matches, (some) => insertReplayRows(tx, replay, some)));
    } catch (error) {
      if (isAppError(error) && error.code === 'replay_lost') return;
      if (!isDataError(error) || matches.length === 0) throw error;
      await this.#saveCarefully(replay, outcome, matches);
    }
    if (matches.length > 0) onRows(replay.endpointId);
  }

  /** Postgres rejected a value: quarantines the matches with rejected values and continues with the others. */
  async #saveCarefully(replay: RunningReplay, outcome: ReplayBatchOutcome, matches: readonly Match[]): Promise<void> {
    const { database, logger, metrics } = this.#options;
    await database.transaction((tx) =>
      this.#insert(tx, replay, outcome, matches, async (all) => {
        let enqueued = 0;
        const refused = await writeBisecting(tx, all, async (inner, some) => {
          enqueued += await insertReplayRows(inner, replay, some);
        });
        await quarantine(
          tx,
          refused.map(({ item: { eventId, eventType, header }, code }) => ({
            item: { endpointId: replay.endpointId, eventId, eventType, replayId: replay.replayId, ...placeOf(header) },
            code,
          })),
        );
        for (const { item, code } of refused)
          logger.error({ replayId: replay.replayId, eventId: item.eventId, errorCode: code }, 'delivery.quarantined');
        if (refused.length > 0) metrics.count('webhook_quarantined_total', {}, refused.length);
        return enqueued;
      }),
    );
  }

  async #insert(
    tx: Tx,
    replay: RunningReplay,
    outcome: ReplayBatchOutcome,
    matches: readonly Match[],
    write: (matches: readonly Match[]) => Promise<number>,
  ): Promise<void> {
    const enqueued = await write(matches);
    if (await endReplayBatch(tx, replay.replayId, this.#options.owner, { ...outcome, enqueued })) return;
    throw new AppError({
      code: 'replay_lost',
      kind: 'conflict',
      message: 'The replay was cancelled or taken over while a batch was queued',
    });
  }

  /** A disabled endpoint may be enabled again; a removed one never comes back. */
  async #waitForEndpoint({ replayId, endpointId }: RunningReplay): Promise<void> {
    const { database, owner, logger } = this.#options;
    const [row] = await run(database.orm.select().from(webhookEndpoints).where(eq(webhookEndpoints.endpointId, endpointId)));
    if (row !== undefined) return void (await endReplayBatch(database, replayId, owner, { ...waiting, pauseMs: 4 * idleMs }));
    logger.info({ replayId, endpointId }, 'replay.endpoint_gone');
    await endReplayBatch(database, replayId, owner, { ...waiting, status: 'failed', error: 'endpoint_gone' });
  }
}

const placeOf = ({ shard, offset, day, userId }: EventHeader) => ({ shard, offset, day, userId });

/** Why a replay ends after this failure; null when it is retried. Rejected values would be rejected again. */
function failureReason(error: unknown, failures: number): string | null {
  if (isDataError(error)) return `data_refused_${errorCode(error)}`;
  return failures < failuresMax ? null : `failed_repeatedly_${errorCode(error)}`;
}
