import { AppError, errorCode, isAppError, type Logger } from '@pulsewire/kernel';
import type { Database } from '@pulsewire/database';
import { Alarm } from '../alarm.ts';
import type { EndpointCache } from '../endpoint-cache.ts';
import type { Planner } from '../planner.ts';
import { insertReplayRows, matchChunk } from './match-chunk.ts';
import { countRows, endTurn, removeCancelled, takeReplay, type RunningReplay, type TurnOutcome } from './replay-row.ts';

export interface ReplayRunnerOptions {
  readonly database: Database;
  readonly cache: EndpointCache;
  readonly planner: Planner;
  readonly owner: string;
  readonly logger: Logger;
  /** Rows of a replay that may wait for their first attempt. */
  readonly rowsMax: number;
  /** Rows of an endpoint are due now. */
  onRows(endpointId: string): void;
}

const idleMs = 2000;
const pauseMs = 250;
const failurePauseMs = 1000;
/** So many times as many rows of a replay may wait for their next attempt as for their first. */
const failedRowsTimes = 10;
const waiting: TurnOutcome = { progress: null, matched: 0, enqueued: 0, status: 'running', error: null, pauseMs };

/**
 * Runs replays: reads their part of the log chunk by chunk and makes rows of the third lane, never more than `rowsMax` of one
 * replay that were not tried. Replays take turns, each under a lease, so any dispatcher goes on where another one ended; rows and
 * progress commit together, so a crash neither loses nor repeats a chunk.
 */
export class ReplayRunner {
  readonly #options: ReplayRunnerOptions;
  readonly #alarm = new Alarm();

  constructor(options: ReplayRunnerOptions) {
    this.#options = options;
  }

  /** A replay was made, or cancelled. */
  lookAgain(): void {
    this.#alarm.ring();
  }

  /** Works until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { database, owner, logger } = this.#options;
    const ring = () => this.#alarm.ring();
    signal.addEventListener('abort', ring, { once: true });
    while (!signal.aborted) {
      try {
        await removeCancelled(database);
        let hasWorked = false;
        for (let replay = await takeReplay(database, owner); replay !== undefined; replay = await takeReplay(database, owner)) {
          hasWorked = true;
          await this.#turn(replay);
          if (signal.aborted) break;
        }
        if (!signal.aborted) await this.#alarm.wait(hasWorked ? pauseMs : idleMs);
      } catch (error) {
        logger.warn({ code: errorCode(error) }, 'replays.not_run');
        if (!signal.aborted) await this.#alarm.wait(failurePauseMs);
      }
    }
    signal.removeEventListener('abort', ring);
  }

  async #turn(replay: RunningReplay): Promise<void> {
    const { database, owner, rowsMax } = this.#options;
    const { replayId, endpointId } = replay;
    const { open, untried } = await countRows(database, replayId);
    const isScanned = replay.progress?.points.length === 0;
    // What has failed goes on by the schedule; the replay itself is over when everything was tried.
    if (isScanned) return void (await endTurn(database, replayId, owner, { ...waiting, status: untried === 0 ? 'completed' : 'running' }));
    // Those that were tried and failed wait for days, which must not hold back the rest; they are bounded all the same.
    if (untried > rowsMax / 2 || open > failedRowsTimes * rowsMax) return void (await endTurn(database, replayId, owner, waiting));
    const { cache } = this.#options;
    await cache.refresh();
    const endpoint = cache.table.endpoints.get(endpointId);
    const team = cache.table.teams.get(replay.teamId);
    if (endpoint === undefined || team === undefined) return this.#waitForEndpoint(replay);
    const { matches, progress } = await matchChunk(database, { replay, endpoint, team, planner: this.#options.planner }, rowsMax - untried);
    await this.#save(replay, { ...waiting, progress, matched: matches.length, pauseMs: 0 }, matches);
  }

  async #save(replay: RunningReplay, outcome: TurnOutcome, matches: Parameters<typeof insertReplayRows>[2]): Promise<void> {
    const { database, owner, onRows } = this.#options;
    try {
      await database.transaction(async (tx) => {
        const enqueued = await insertReplayRows(tx, replay, matches);
        if (await endTurn(tx, replay.replayId, owner, { ...outcome, enqueued })) return;
        throw new AppError({ code: 'replay_lost', kind: 'conflict', message: 'The replay was cancelled or taken over during its turn' });
      });
    } catch (error) {
      if (isAppError(error) && error.code === 'replay_lost') return;
      throw error;
    }
    if (matches.length > 0) onRows(replay.endpointId);
  }

  /** A disabled endpoint may be enabled again; a removed one never comes back. */
  async #waitForEndpoint({ replayId, endpointId }: RunningReplay): Promise<void> {
    const { database, owner, logger } = this.#options;
    const [row] = await database.sql`SELECT FROM webhook_endpoints WHERE endpoint_id = ${endpointId}`;
    if (row !== undefined) return void (await endTurn(database, replayId, owner, { ...waiting, pauseMs: 4 * idleMs }));
    logger.info({ replayId, endpointId }, 'replay.endpoint_gone');
    await endTurn(database, replayId, owner, { ...waiting, status: 'failed', error: 'endpoint_gone' });
  }
}
