import type { Database } from '@pulsewire/database';
import type { LogEvent } from '@pulsewire/eventlog';
import { errorCode, type Logger, WakeSignal } from '@pulsewire/kernel';
import type { EndpointQueues } from '../queues/endpoint-queues.ts';
import { rotateTeams } from '../queues/rotate-teams.ts';
import { claimDue, readNextDue, type ClaimRequest, type ClaimedRow, type RowKind, readClaimed } from './claim-due.ts';
import type { EndpointCache } from '../../routing/endpoint-cache.ts';
import type { Endpoint } from '../../routing/route.ts';

export interface RetryClockOptions {
  /** Retries with parked deliveries, or replays; each kind has its own clock. */
  readonly kind: RowKind;
  /** Most claimed rows that may wait in all endpoint queues at present, which bounds their memory. */
  heldMax(): number;
  readonly database: Database;
  readonly cache: EndpointCache;
  readonly queues: EndpointQueues;
  readonly owner: string;
  readonly leaseMs: number;
  readonly logger: Logger;
  /** Monotonic milliseconds. */
  nowMs(): number;
  /** Leases that end at this instant or later have not expired, whatever the database's clock shows. */
  leasesEndBefore(): string;
  /** Hands over a claimed row with its event; undefined when retention has dropped the event. */
  onClaimed(row: ClaimedRow, event: LogEvent | undefined, leaseEndsAtMs: number): void;
}

/** How often all endpoints are checked for rows that we were not notified of, such as those of crashed dispatchers. */
const recheckMs = 5000;
const sleepMaxMs = 1000;
const failurePauseMs = 500;

/**
 * Claims waiting deliveries when they are due. Tracks when the first row of each endpoint is due, sleeps until then, and claims only for
 * endpoints that can accept rows.
 */
export class RetryClock {
  readonly #options: RetryClockOptions;
  readonly #wake = new WakeSignal();
  /** Monotonic milliseconds at which the first row of an endpoint is due, as far as we know. */
  readonly #dueAtMs = new Map<string, number>();
  #recheckAtMs = 0;
  /** Endpoints got no rows because the queues have reached their memory limit. */
  #isFull = false;

  constructor(options: RetryClockOptions) {
    this.#options = options;
  }

  /** A row was written that is due in so many milliseconds. */
  recordDue(endpointId: string, dueInMs: number): void {
    const dueAtMs = this.#options.nowMs() + dueInMs;
    const known = this.#dueAtMs.get(endpointId);
    if (known !== undefined && known <= dueAtMs) return;
    this.#dueAtMs.set(endpointId, dueAtMs);
    this.#wake.set();
  }

  /** Endpoints changed: one that was disabled may have due rows. */
  recheck(): void {
    this.#recheckAtMs = 0;
    this.#wake.set();
  }

  /** An endpoint queue has capacity again. */
  recordRoom(endpointId: string): void {
    if (this.#capacity === 0) return;
    const dueAtMs = this.#dueAtMs.get(endpointId);
    if (this.#isFull || (dueAtMs !== undefined && dueAtMs <= this.#options.nowMs())) this.#wake.set();
  }

  /** How long the most overdue known row has been due. */
  oldestDueMs(): number {
    const now = this.#options.nowMs();
    let oldestMs = 0;
    for (const dueAtMs of this.#dueAtMs.values()) oldestMs = Math.max(oldestMs, now - dueAtMs);
    return oldestMs;
  }

  /** Runs until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const wake = () => this.#wake.set();
    signal.addEventListener('abort', wake, { once: true });
    while (!signal.aborted) {
      try {
        await this.#claim();
        if (!signal.aborted) await this.#wake.wait(this.#sleepMs());
      } catch (error) {
        this.#options.logger.warn({ errorCode: errorCode(error) }, 'retries.claim_failed');
        this.#recheckAtMs = 0;
        if (!signal.aborted) await this.#wake.wait(failurePauseMs);
      }
    }
    signal.removeEventListener('abort', wake);
  }

  async #claim(): Promise<void> {
    const { database, cache, nowMs } = this.#options;
    await cache.refresh();
    if (nowMs() >= this.#recheckAtMs) {
      this.#recheckAtMs = nowMs() + recheckMs;
      await this.#learnDue([...cache.table.endpoints.keys()]);
    }
    const requests = this.#claimRequests();
    if (requests.length === 0) return;
    const { kind, leaseMs, owner } = this.#options;
    const leaseEndsAtMs = nowMs() + leaseMs;
    const rows = await claimDue(database, kind, requests, { owner, leaseMs, endBefore: this.#options.leasesEndBefore() });
    const eventOf = await readClaimed(database, rows);
    for (const row of rows) this.#options.onClaimed(row, eventOf(row), leaseEndsAtMs);
    const counts = new Map<string, number>();
    for (const row of rows) counts.set(row.endpointId, (counts.get(row.endpointId) ?? 0) + 1);
    // An endpoint that filled its capacity probably has more due rows.
    await this.#learnDue(
      requests.filter(({ endpointId, capacity }) => (counts.get(endpointId) ?? 0) < capacity).map(({ endpointId }) => endpointId),
    );
  }

  get #capacity(): number {
    return Math.max(0, this.#options.heldMax() - this.#options.queues.held(this.#options.kind));
  }

  #claimRequests(): ClaimRequest[] {
    const { kind, queues, cache, nowMs } = this.#options;
    const now = nowMs();
    const requests: ClaimRequest[] = [];
    let left = this.#capacity;
    const due: Endpoint[] = [];
    for (const [endpointId, dueAtMs] of this.#dueAtMs) {
      const endpoint = cache.table.endpoints.get(endpointId);
      if (endpoint === undefined) this.#dueAtMs.delete(endpointId);
      else if (dueAtMs <= now) due.push(endpoint);
    }
    for (const endpoint of rotateTeams(due)) {
      if (left === 0) break;
      // Half of what is left, so that hanging endpoints cannot hold all of it.
      const queue = queues.of(endpoint);
      const capacity = Math.min(Math.ceil(left / 2), queue.capacity(kind, now));
      if (capacity === 0) continue;
      const { endpointId } = endpoint;
      requests.push({ endpointId, capacity, newest: queue.circuit.newestOf(capacity) });
      left -= capacity;
      // Endpoints served now come last next time.
      const dueAtMs = this.#dueAtMs.get(endpointId) ?? now;
      this.#dueAtMs.delete(endpointId);
      this.#dueAtMs.set(endpointId, dueAtMs);
    }
    this.#isFull = left === 0;
    return requests;
  }

  async #learnDue(endpointIds: readonly string[]): Promise<void> {
    const { database, nowMs } = this.#options;
    if (endpointIds.length === 0) return;
    // Changes that arrive during the query are newer than its result.
    for (const endpointId of endpointIds) this.#dueAtMs.delete(endpointId);
    const found = await readNextDue(database, this.#options.kind, endpointIds, this.#options.leasesEndBefore());
    for (const [endpointId, inMs] of found) {
      const dueAtMs = nowMs() + inMs;
      if ((this.#dueAtMs.get(endpointId) ?? Infinity) > dueAtMs) this.#dueAtMs.set(endpointId, dueAtMs);
    }
  }

  #sleepMs(): number {
    const { queues, nowMs } = this.#options;
    const now = nowMs();
    const isFull = this.#capacity === 0;
    let wakeAtMs = Math.min(now + sleepMaxMs, this.#recheckAtMs);
    for (const [endpointId, dueAtMs] of this.#dueAtMs) {
      const queue = queues.find(endpointId);
      const readyAtMs = Math.max(dueAtMs, queue?.readyAtMs ?? 0);
      // Due, but the queue is full, or all queues together: the next free place wakes us.
      if (readyAtMs <= now && (isFull || queue?.capacity(this.#options.kind, now) === 0)) continue;
      wakeAtMs = Math.min(wakeAtMs, readyAtMs);
    }
    // Rows that another dispatcher is claiming look due to us; do not spin on them.
    return Math.max(5, wakeAtMs - now);
  }
}
