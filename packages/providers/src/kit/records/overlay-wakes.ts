import { partition } from '../time/partition.ts';
import { joinStages } from './sleep-records.ts';

/** An interval of one stage; times in ms since the epoch, the end exclusive. */
export interface SleepStage {
  readonly startMs: number;
  readonly endMs: number;
  /** 1 deep, 2 light, 3 REM, 4 awake, -1 unknown. */
  readonly code: number;
}

/** The code of the stage awake. */
export const awake = 4;

/** The parts of `stages` that `wakes` cover; both are in chronological order and do not overlap among themselves. */
function covered(wakes: readonly SleepStage[], stages: readonly SleepStage[]): SleepStage[] {
  const parts: SleepStage[] = [];
  let next = 0;
  for (const wake of wakes) {
    while ((stages[next]?.endMs ?? Number.POSITIVE_INFINITY) <= wake.startMs) next += 1;
    for (let index = next; index < stages.length; index += 1) {
      const stage = stages[index] as SleepStage;
      if (stage.startMs >= wake.endMs) break;
      parts.push({ code: wake.code, startMs: Math.max(wake.startMs, stage.startMs), endMs: Math.min(wake.endMs, stage.endMs) });
    }
  }
  return parts;
}

interface Layered extends SleepStage {
  readonly layer: number;
}

const joined = (segments: readonly Layered[]): SleepStage[] =>
  joinStages(
    partition(segments, (a, b) => b.layer - a.layer || a.startMs - b.startMs || a.endMs - b.endMs || a.code - b.code).map(
      ({ segment: { code }, startMs, endMs }) => ({ code, startMs, endMs }),
    ),
  );

/**
 * The stages of a source whose stages do not overlap, with the short wakes cut out of them. Wakes outside all stages are left out. Adjacent
 * intervals of one stage are merged.
 */
export function overlay(stages: readonly SleepStage[], wakes: readonly SleepStage[]): SleepStage[] {
  const under = joined(stages.map((stage) => ({ ...stage, layer: 0 })));
  const over = covered(joined(wakes.map((wake) => ({ ...wake, layer: 1 }))), under);
  return over.length === 0
    ? under
    : joined([...under.map((stage) => ({ ...stage, layer: 0 })), ...over.map((wake) => ({ ...wake, layer: 1 }))]);
}

/** Seconds spent in a stage. */
export function secondsIn(stages: readonly SleepStage[], code: number): number {
  const ms = stages.reduce((sum, stage) => sum + (stage.code === code ? stage.endMs - stage.startMs : 0), 0);
  return Math.round(ms / 1000);
}
