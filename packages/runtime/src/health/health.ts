import { errorCode } from '@pulsewire/kernel';
import type { WorkerHealth } from '../process/supervisor.ts';

/** Something that must work before traffic is welcome, such as the database. */
export interface ReadinessCheck {
  readonly name: string;
  /** Something that the process can work without: when it fails, the report says `degraded` and stays ready. */
  readonly isOptional?: boolean;
  /** Rejects when it does not work; gives up when the signal aborts. */
  check(signal: AbortSignal): Promise<void>;
}

export interface HealthReport {
  readonly ok: boolean;
  /** Works, but without something optional. */
  readonly isDegraded: boolean;
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

/** Alive: no worker has failed permanently. Ready: serving, every worker runs, every check that is not optional passes within 2 s. */
export function createHealth(parts: HealthParts): HealthSource {
  return {
    live() {
      const workers = parts.workers();
      return { ok: workers.every((worker) => worker.state !== 'failed'), isDegraded: false, workers, checks: {} };
    },
    async ready() {
      const all = parts.checks();
      const checks = Object.fromEntries(await Promise.all(all.map(runCheck)));
      const workers = parts.workers();
      const allRun = workers.every((worker) => worker.state === 'running');
      const failing = all.filter(({ name }) => checks[name] !== 'ok');
      const ok = parts.isServing() && allRun && failing.every(({ isOptional }) => isOptional === true);
      return { ok, isDegraded: ok && failing.length > 0, workers, checks };
    },
  };
}
