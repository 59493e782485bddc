import type { Clock, Logger, Metrics } from '@pulsewire/kernel';
import type { PoolMember } from './pool-member.ts';

export interface SilenceOptions {
  readonly silenceMaxMs: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
}

const lookEveryMs = 500;
/** A worker process that is silent for this long is reported as blocked; it sends a beat every second. */
const blockedAfterMs = 5000;
/** While its modules are loaded, a process sends nothing. */
const bootSilenceMaxMs = 60_000;

/**
 * Reports worker processes whose event loop is blocked, and ends those that stay so: they neither serve their connections nor release their
 * leases. Returns a function that stops watching.
 */
export function watchSilence(members: readonly PoolMember[], options: SilenceOptions): () => void {
  const { silenceMaxMs, logger, metrics, clock } = options;
  const reportAfterMs = Math.min(blockedAfterMs, silenceMaxMs / 2);
  let lastLookMs = clock.monotonicMs();

  const look = (member: PoolMember, hasSlept: boolean) => {
    const { number, name, current } = member;
    if (!current) return;
    // The machine was suspended, or this process was: what the workers sent meanwhile has not been read yet.
    if (hasSlept) current.forgive();
    const silentMs = current.silentMs();
    metrics.gauge('worker_process_silence_seconds', silentMs / 1000, { worker: name });
    const hasStarted = current.hasStarted();
    const isBlocked = hasStarted && silentMs > reportAfterMs;
    const fields = { workerNumber: number, workerPid: current.pid, silentMs: Math.round(silentMs) };
    if (isBlocked !== member.isBlocked) logger.warn(fields, isBlocked ? 'worker_process.blocked' : 'worker_process.responds');
    member.isBlocked = isBlocked;
    if (member.endsAs !== null || silentMs <= (hasStarted ? silenceMaxMs : Math.max(silenceMaxMs, bootSilenceMaxMs))) return;
    member.endsAs = 'worker_blocked';
    metrics.count('worker_process_blocked_total', { worker: name });
    logger.error(fields, 'worker_process.killed');
    current.kill();
  };

  const timer = setInterval(() => {
    const nowMs = clock.monotonicMs();
    const hasSlept = nowMs - lastLookMs > 4 * lookEveryMs;
    lastLookMs = nowMs;
    for (const member of members) look(member, hasSlept);
  }, lookEveryMs);
  return () => clearInterval(timer);
}
