import { systemClock, type Clock } from '@pulsewire/kernel';

/**
 * The two times of a simulator. Rules with waiting times (quota hours, token and code lifetimes, grace periods) run `speed` times
 * as fast as the wall clock. Data stays on the wall clock: its readers compare it with their own "now" and "today".
 */
export interface SimulatorClock {
  readonly speed: number;
  /** Wall-clock time, epoch milliseconds: the time of data, and the time in which deadlines are stored and reported. */
  wallMs(): number;
  /** Simulated time, milliseconds. It only counts hours: it has no relation to a date when `speed` is not 1. */
  simulatedMs(): number;
  /** How long a simulated duration takes on the wall clock, milliseconds. */
  toWallMs(simulatedDurationMs: number): number;
}

export interface SimulatorClockOptions {
  readonly clock?: Clock;
  /** 60 makes an hour a minute. Above 0, at most 3600. */
  readonly speed?: number;
}

/** Simulated time is wall time multiplied, not counted from the start, so that a restarted simulator is in the same hour as before. */
export function createSimulatorClock(options: SimulatorClockOptions = {}): SimulatorClock {
  const clock = options.clock ?? systemClock;
  const speed = options.speed ?? 1;
  if (!(speed > 0 && speed <= 3600)) throw new RangeError('speed must be above 0 and at most 3600');
  const wallMs = () => clock.now().getTime();
  return { speed, wallMs, simulatedMs: () => wallMs() * speed, toWallMs: (durationMs) => durationMs / speed };
}
