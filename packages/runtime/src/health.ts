import { errorCode } from '@pulsewire/kernel';
import type { WorkerHealth } from './supervisor.ts';

/** Something that must work before traffic is welcome, such as the database. */
export interface ReadinessCheck {
  readonly name: string;
  /** Rejects when it does not work; gives up when the signal aborts. */
  check(signal: AbortSignal): Promise<void>;
}

export interface HealthReport {
  readonly ok: boolean;
  readonly workers: readonly WorkerHealth[];
  /** `ok`, or the code of what went wrong. */
  readonly checks: Readonly<Record<string, string>>;
}

/** What the health endpoints ask. */
export interface HealthSource {
  live(): HealthReport;
  ready(): Promise<HealthReport>;
}

export interface HealthParts {
  /** False until the start is complete and again from the first moment of the drain. */
  isServing(): boolean;
  workers(): readonly WorkerHealth[];
  checks(): readonly ReadinessCheck[];
}

const checkTimeoutMs = 2000;

async function runCheck({ name, check }: ReadinessCheck): Promise<[string, string]> {
  const signal = AbortSignal.timeout(checkTimeoutMs);
  const timedOut = new Promise<string>((resolve) => signal.addEventListener('abort', () => resolve('timeout'), { once: true }));
  const outcome = check(signal).then(
    () => 'ok',
    (error: unknown) => errorCode(error),
  );
  return [name, await Promise.race([outcome, timedOut])];
}

/** Alive: no worker has failed for good. Ready: serving, every worker runs, every check passes within 2 s. */
export function createHealth(parts: HealthParts): HealthSource {
  return {
    live() {
      const workers = parts.workers();
      return { ok: workers.every((worker) => worker.state !== 'failed'), workers, checks: {} };
    },
    async ready() {
      const checks = Object.fromEntries(await Promise.all(parts.checks().map(runCheck)));
      const workers = parts.workers();
      const allRun = workers.every((worker) => worker.state === 'running');
      const allPass = Object.values(checks).every((outcome) => outcome === 'ok');
      return { ok: parts.isServing() && allRun && allPass, workers, checks };
    },
  };
}
