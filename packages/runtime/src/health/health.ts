import { errorCode } from '@pulsewire/kernel';
import type { WorkerHealth } from '../process/supervisor.ts';

/** A dependency that must work before the process accepts traffic, such as the database. */
export interface ReadinessCheck {
  readonly name: string;
  /** A dependency that the process can work without: when the check fails, the report is `degraded` but still ready. */
  readonly isOptional?: boolean;
  /** Rejects when the dependency does not work; must stop when the signal aborts. */
  check(signal: AbortSignal): Promise<void>;
}

export interface HealthReport {
  readonly ok: boolean;
  /** Ready, but an optional check fails. */
  readonly isDegraded: boolean;
  readonly workers: readonly WorkerHealth[];
  /** `ok`, or the error code. */
  readonly checks: Readonly<Record<string, string>>;
}

/** Source of the health endpoints' reports. */
export interface HealthSource {
  live(): HealthReport;
  ready(): Promise<HealthReport>;
}

export interface HealthParts {
  /** False until the start is complete, and again once the drain begins. */
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

/** Alive: no worker has failed permanently. Ready: serving, every worker runs, every required check passes within 2 s. */
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
