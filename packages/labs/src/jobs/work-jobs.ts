import { errorCode, sleep } from '@pulsewire/kernel';
import { claimJob } from './claim-job.ts';
import { leaseMarginMs, runJob } from './run-job.ts';
import type { JobKind, JobRunner, PartnerJob } from './job.ts';

export interface JobWorkerOptions extends JobRunner {
  readonly kinds: readonly JobKind[];
  /** Jobs at once. Default 8. */
  readonly concurrency?: number;
  /** How long an idle worker waits before it polls again. Default 1 s. */
  readonly idleMs?: number;
}

/** Runs due jobs, a bounded number at once. */
export interface JobWorker {
  /** Until the signal aborts; an attempt in progress is aborted too, and its job is due again at once. */
  run(signal: AbortSignal): Promise<void>;
  /** Runs one due job. Returns false when there is none. */
  workOne(signal: AbortSignal): Promise<boolean>;
}

export function createJobWorker(options: JobWorkerOptions): JobWorker {
  const { labs, logger, kinds, concurrency = 8, idleMs = 1000 } = options;
  const byName = new Map(kinds.map((kind) => [kind.kind, kind]));
  const running = new Map<string, number>();
  const leaseMs = Math.max(0, ...kinds.map((kind) => kind.timeoutMs)) + leaseMarginMs;
  // An unresponsive partner must not occupy every slot.
  const perPartner = Math.max(1, Math.ceil(concurrency / 2));
  const count = (partner: string, by: number) => running.set(partner, (running.get(partner) ?? 0) + by);

  async function claim(): Promise<PartnerJob | null> {
    const exceptPartners = [...running].filter(([, calls]) => calls >= perPartner).map(([partner]) => partner);
    const job = await claimJob(labs.database, { kinds: [...byName.keys()], exceptPartners }, labs.clock.now(), leaseMs);
    if (job) count(job.partner, 1);
    return job;
  }

  // Claimed one after another, so that each claim sees the previous ones.
  let claimed: Promise<PartnerJob | null> = Promise.resolve(null);
  const claimInOrder = () => (claimed = claimed.then(claim, claim));

  async function workOne(signal: AbortSignal): Promise<boolean> {
    const job = await claimInOrder();
    const kind = job && byName.get(job.kind);
    if (!job || !kind) return false;
    try {
      await runJob(options, kind, job, signal);
    } finally {
      count(job.partner, -1);
    }
    return true;
  }

  async function workUntilAborted(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const hasWorked = await workOne(signal).catch((error: unknown) => {
        if (!signal.aborted) logger.warn({ errorCode: errorCode(error) }, 'lab_job.failed');
        return false;
      });
      if (!hasWorked) await sleep(idleMs, signal);
    }
  }

  return {
    workOne,
    async run(signal) {
      await Promise.all(Array.from({ length: concurrency }, () => workUntilAborted(signal)));
    },
  };
}
