import { dayMs, hourMs } from '@pulsewire/kernel';

/** The clock starts after this many failures within `windowMs`, the first and the last at least `spreadMs` apart. */
export const failuresMin = 3;
export const windowMs = dayMs;
export const spreadMs = 12 * hourMs;
const disableAfterMs = 5 * dayMs;
const warnAfterMs = disableAfterMs / 2;
/** The longest wait that a schedule may have between two attempts; an endpoint without attempts for longer is not considered failing. */
const silenceMaxMs = 7 * dayMs;

/** An endpoint whose clock is running. Times in ms since the epoch. */
export interface RunningClock {
  readonly failingSinceMs: number;
  readonly isWarned: boolean;
  /** Whether a delivery succeeded since then. */
  readonly hasSucceeded: boolean;
  /** The last failure, possibly from before the clock started. */
  readonly lastFailureMs: number | null;
}

/**
 * Decides what happens to an endpoint whose clock is running. Judges by its last failure and not by the current time: an endpoint to which
 * nothing was sent is neither warned about nor disabled.
 */
export function judgeClock(
  { failingSinceMs, isWarned, hasSucceeded, lastFailureMs }: RunningClock,
  nowMs: number,
): 'clear' | 'disable' | 'warn' | 'wait' {
  if (hasSucceeded || lastFailureMs === null || nowMs - lastFailureMs > silenceMaxMs) return 'clear';
  const failedForMs = lastFailureMs - failingSinceMs;
  if (failedForMs >= disableAfterMs) return 'disable';
  return failedForMs >= warnAfterMs && !isWarned ? 'warn' : 'wait';
}
