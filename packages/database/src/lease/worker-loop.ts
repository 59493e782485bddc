import { errorCode, sleep, WakeSignal, type Logger, type Metrics } from '@pulsewire/kernel';
import { keepLease } from './keep-lease.ts';

/** How an attempt ended; the same words for every queue. */
export type WorkOutcome =
  /** Finished; its result is committed. */
  | 'done'
  /** Not decided yet: looked at again after a delay. */
  | 'postponed'
  /** Finished for good without success; the failure is committed. */
  | 'failed'
  /** Attempted again after a delay, or when its lease ends. */
  | 'retried'
  /** Waits for an operator. */
  | 'set_aside'
  /** Another worker has taken it over; nothing was written. */
  | 'lost'
  /** The process stops; another one continues at once. */
  | 'released';

export interface WorkerLoopOptions<Item> {
  /** Names the queue in the log and in `queue_attempts_total`. */
  readonly queue: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Items at once. */
  readonly concurrency: number;
  /** How long an idle worker waits before it looks again. */
  readonly pollMs: number;
  readonly leaseMs: number;
  readonly renewMs?: number;
  /** How long attempts may continue after the worker was stopped, before their signals abort. Default 5 s. */
  readonly graceMs?: number;
  /** Claims up to `limit` items; called again at once until it returns none. */
  claim(limit: number): Promise<readonly Item[]>;
  renew(item: Item): Promise<boolean>;
  /** Ends the lease, so that another process can continue at once. */
  release(item: Item): Promise<unknown>;
  /** One attempt. Its signal aborts when the lease is lost or the grace is over; it then throws, and writes nothing. */
  attempt(item: Item, signal: AbortSignal): Promise<WorkOutcome>;
  /** An attempt threw: retries it later or sets it aside. */
  settleFailure(item: Item, error: unknown): Promise<WorkOutcome>;
  /** Calls back when something may have become due, so that nobody waits for the next look. */
  listen?(wake: () => void): Promise<{ unlisten(): Promise<void> }>;
}

/** Works on one queue. Any number of processes may run one. */
export interface WorkerLoop {
  /** Until the signal aborts: then claims nothing more, waits for the attempts in progress, and releases those that take too long. */
  run(signal: AbortSignal): Promise<void>;
  /** One attempt, now. Returns false when nothing is due. */
  workOne(signal: AbortSignal): Promise<boolean>;
}

const defaultGraceMs = 5000;
/** How long an attempt may take to end after its signal has aborted. */
const endMs = 2000;

export function createWorkerLoop<Item>(options: WorkerLoopOptions<Item>): WorkerLoop {
  const { queue, logger, metrics, concurrency, pollMs, graceMs = defaultGraceMs } = options;
  let isClaimFailing = false;

  /** Logs the first failure in a row and the recovery: a database that is away for an hour is two lines. */
  async function claim(limit: number): Promise<readonly Item[]> {
    try {
      const items = await options.claim(limit);
      if (isClaimFailing) logger.info({ queue }, 'queue.claim_recovered');
      isClaimFailing = false;
      return items;
    } catch (error) {
      if (!isClaimFailing) logger.error({ queue, errorCode: errorCode(error) }, 'queue.claim_failed');
      isClaimFailing = true;
      return [];
    }
  }

  async function settle(item: Item, attempt: () => Promise<WorkOutcome>, lost: AbortSignal, over: AbortSignal): Promise<WorkOutcome> {
    try {
      return await attempt();
    } catch (error) {
      if (lost.aborted || errorCode(error) === 'work_lease_lost') return 'lost';
      if (!over.aborted) return options.settleFailure(item, error);
      await options.release(item);
      return 'released';
    }
  }

  async function runItem(item: Item, stop: AbortSignal): Promise<void> {
    const [ended, over] = [new AbortController(), new AbortController()];
    const lease = keepLease({ ...options, renew: () => options.renew(item) });
    /** An attempt that ignores its signal is left behind; its writes are refused once its lease is released. */
    const endGrace = async (): Promise<WorkOutcome> => {
      await new Promise<void>((resolve) => {
        if (stop.aborted) return resolve();
        AbortSignal.any([stop, ended.signal]).addEventListener('abort', () => resolve(), { once: true });
      });
      await sleep(graceMs, ended.signal);
      over.abort(new Error('The process is stopping'));
      await sleep(endMs, ended.signal);
      if (!ended.signal.aborted) await options.release(item);
      return 'released';
    };
    let outcome: WorkOutcome;
    try {
      const attempt = () => options.attempt(item, AbortSignal.any([lease.lost, over.signal]));
      outcome = await Promise.race([settle(item, attempt, lease.lost, over.signal), endGrace()]);
    } catch (error) {
      // Neither the attempt nor its failure could be stored: it is claimed again when its lease ends.
      logger.error({ queue, errorCode: errorCode(error) }, 'queue.settle_failed');
      outcome = 'retried';
    } finally {
      ended.abort();
      await lease.stop();
    }
    metrics.count('queue_attempts_total', { queue, outcome });
  }

  return {
    async workOne(signal) {
      const [item] = await options.claim(1);
      if (item === undefined) return false;
      await runItem(item, signal);
      return true;
    },
    async run(signal) {
      const wake = new WakeSignal();
      const running = new Set<Promise<void>>();
      const onStop = () => wake.set();
      signal.addEventListener('abort', onStop, { once: true });
      const listening = await options.listen?.(() => wake.set());
      try {
        while (!signal.aborted) {
          const free = concurrency - running.size;
          const items = free > 0 ? await claim(free) : [];
          for (const item of items) {
            const attempt: Promise<void> = runItem(item, signal).finally(() => {
              running.delete(attempt);
              wake.set();
            });
            running.add(attempt);
          }
          if (items.length === 0 && !signal.aborted) await wake.wait(pollMs);
        }
      } finally {
        signal.removeEventListener('abort', onStop);
        await listening?.unlisten();
        await Promise.all(running);
      }
    },
  };
}
