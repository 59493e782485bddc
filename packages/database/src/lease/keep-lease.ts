import { errorCode, sleep, type Logger } from '@pulsewire/kernel';

export interface KeepLeaseOptions {
  /** Extends the lease; false when it was lost. */
  renew(): Promise<boolean>;
  readonly leaseMs: number;
  /** Default a third of the lease. */
  readonly renewMs?: number;
  readonly logger: Logger;
  /** Named in the log. */
  readonly queue: string;
}

export interface KeptLease {
  /** Aborts when the lease is lost. */
  readonly lost: AbortSignal;
  /** Ends the renewals; resolves when none is in progress. */
  stop(): Promise<void>;
}

/**
 * Renews a lease until it is stopped. A renewal that fails is tried again; when all have failed for as long as the lease lasts, it counts as
 * lost. Durations are measured by the monotonic clock, which no adjustment moves.
 */
export function keepLease({ renew, leaseMs, renewMs = Math.ceil(leaseMs / 3), logger, queue }: KeepLeaseOptions): KeptLease {
  const [stopped, lost] = [new AbortController(), new AbortController()];
  const keep = async () => {
    let heldSince = performance.now();
    for (await sleep(renewMs, stopped.signal); !stopped.signal.aborted; await sleep(renewMs, stopped.signal)) {
      const askedAt = performance.now();
      try {
        if (!(await renew())) return lost.abort(new Error('The lease was lost'));
        heldSince = askedAt;
      } catch (error) {
        logger.warn({ queue, errorCode: errorCode(error) }, 'queue.renew_failed');
        if (performance.now() - heldSince >= leaseMs) return lost.abort(new Error('The lease could not be renewed'));
      }
    }
  };
  const keeping = keep();
  return {
    lost: lost.signal,
    async stop() {
      stopped.abort();
      await keeping;
    },
  };
}
