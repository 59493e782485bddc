import { errorCode, exponentialDelayMs, sleep, type Logger } from '@pulsewire/kernel';
import { plainArray, type Database, type Executor } from '@pulsewire/database';
import { attemptOutcomes } from '../../model/attempt-outcome.ts';
import type { Delivery } from '../delivery/delivery.ts';

/**
 * `recorded`: an earlier owner of the shard has settled it or made a row of it (the row of a replay, or for an ordered delivery that of a
 * resend, does not count). `held`: rows of its user wait. `clear`: it may be sent.
 */
export type LookupResult = 'recorded' | 'held' | 'clear';

export interface PriorDeliveryLookupOptions {
  readonly database: Database;
  readonly logger: Logger;
  onResult(delivery: Delivery, result: LookupResult): void;
}

const batchMax = 2000;

/** Looks up deliveries in the database before they are sent, in batches: requests that arrive during a query form the next batch. */
export class PriorDeliveryLookup {
  readonly #options: PriorDeliveryLookupOptions;
  #queued: Delivery[] = [];
  #isRunning = false;
  #isStopped = false;

  constructor(options: PriorDeliveryLookupOptions) {
    this.#options = options;
  }

  enqueue(delivery: Delivery): void {
    this.#queued.push(delivery);
    if (!this.#isRunning) void this.#run();
  }

  /** Returns no further results; positions keep waiting for the pending lookups. */
  stop(): void {
    this.#isStopped = true;
    this.#queued = [];
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    // Deliveries of one read share one query.
    await Promise.resolve();
    for (let failures = 0; this.#queued.length > 0 && !this.#isStopped;) {
      const requested = this.#queued.slice(0, batchMax).filter(({ state }) => state === 'queued');
      this.#queued = this.#queued.slice(batchMax);
      try {
        const results = await readResults(this.#options.database, requested);
        failures = 0;
        for (const [index, delivery] of requested.entries())
          if (!this.#isStopped) this.#options.onResult(delivery, results[index] ?? 'clear');
      } catch (error) {
        this.#options.logger.warn({ errorCode: errorCode(error), deliveries: requested.length }, 'prior_deliveries.read_failed');
        this.#queued = [...requested, ...this.#queued];
        await sleep(exponentialDelayMs(failures, 50, 2000));
        failures += 1;
      }
    }
    this.#isRunning = false;
  }
}

async function readResults({ sql }: Executor, requested: readonly Delivery[]): Promise<readonly LookupResult[]> {
  if (requested.length === 0) return [];
  const column = (pick: (delivery: Delivery) => string | number | boolean | null): string => plainArray(requested.map(pick));
  const rows = await sql<{ is_recorded: boolean; is_held: boolean }[]>`
    SELECT a.may_be_recorded AND (
        EXISTS (SELECT FROM webhook_pending w WHERE w.endpoint_id = a.endpoint_id AND w.event_id = a.event_id
                  AND w.replay_id IS NULL AND (w.is_ordered OR a.user_id IS NULL))
        OR EXISTS (SELECT FROM webhook_attempts t WHERE t.shard = a.shard AND t."offset" = a."offset" AND t.day >= a.log_day - 1
                     AND t.event_id = a.event_id AND t.endpoint_id = a.endpoint_id AND t.outcome <> ${attemptOutcomes.failed})) AS is_recorded,
      a.user_id IS NOT NULL
        AND EXISTS (SELECT FROM webhook_pending w WHERE w.is_ordered AND w.endpoint_id = a.endpoint_id AND w.user_id = a.user_id) AS is_held
    FROM unnest(
      ${column((one) => one.endpoint.endpointId)}::uuid[], ${column((one) => one.message.eventId)}::uuid[],
      ${column((one) => one.event.shard)}::smallint[], ${column((one) => one.event.offset)}::bigint[], ${column((one) => one.event.day)}::date[],
      ${column((one) => (one.isOrdered ? one.event.userId : null))}::uuid[], ${column((one) => one.mayBeRecorded)}::boolean[]
    ) WITH ORDINALITY AS a(endpoint_id, event_id, shard, "offset", log_day, user_id, may_be_recorded, ord)
    ORDER BY a.ord`;
  return rows.map((row) => (row.is_recorded ? 'recorded' : row.is_held ? 'held' : 'clear'));
}
