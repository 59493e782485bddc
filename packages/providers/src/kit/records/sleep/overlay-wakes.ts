import type { StageSpan } from '../sleep-records.ts';
import { resolveStages, type SleepClaim } from './stages.ts';

/** An interval of one stage. */
export type SleepStage = StageSpan;

/** The code of the stage awake. */
export const awake = 4;

/** The parts of `stages` that `wakes` cover; both are in chronological order and do not overlap among themselves. */
function covered(wakes: readonly SleepStage[], stages: readonly SleepStage[]): SleepClaim[] {
  const parts: SleepClaim[] = [];
  let next = 0;
  for (const { code, startMs, endMs } of wakes) {
    while ((stages[next]?.endMs ?? Number.POSITIVE_INFINITY) <= startMs) next += 1;
    for (let index = next; index < stages.length; index += 1) {
      const stage = stages[index] as SleepStage;
      if (stage.startMs >= endMs) break;
      parts.push({ code, startMs: Math.max(startMs, stage.startMs), endMs: Math.min(endMs, stage.endMs), detail: 'wake' });
    }
  }
  return parts;
}

const asStages = (stages: readonly SleepStage[]) =>
  stages.map((stage): SleepClaim => ({ ...stage, detail: stage.code === -1 ? 'none' : 'stage' }));

/** The stages of a night, with short wakes that the source lists apart cut out of them. A wake outside all stages is left out. */
export function overlay(stages: readonly SleepStage[], wakes: readonly SleepStage[]): SleepStage[] {
  const under = resolveStages(asStages(stages));
  const over = covered(resolveStages(wakes.map((wake): SleepClaim => ({ ...wake, detail: 'wake' }))), under);
  return over.length === 0 ? under : resolveStages([...asStages(under), ...over]);
}

/** Seconds spent in a stage. */
export function secondsIn(stages: readonly SleepStage[], code: number): number {
  const ms = stages.reduce((sum, stage) => sum + (stage.code === code ? stage.endMs - stage.startMs : 0), 0);
  return Math.round(ms / 1000);
}
