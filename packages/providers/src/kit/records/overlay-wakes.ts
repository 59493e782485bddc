/** An interval of one stage; times in ms since the epoch, the end exclusive. */
export interface SleepStage {
  readonly startMs: number;
  readonly endMs: number;
  /** 1 deep, 2 light, 3 REM, 4 awake, -1 unknown. */
  readonly code: number;
}

/** The code of the stage awake. */
export const awake = 4;

/** The stages with the short wakes cut out of them; both lists are in chronological order. Adjacent intervals of one stage are merged. */
export function overlay(stages: readonly SleepStage[], wakes: readonly SleepStage[]): SleepStage[] {
  const result: SleepStage[] = [];
  const add = (stage: SleepStage): void => {
    const last = result.at(-1);
    if (stage.endMs <= stage.startMs) return;
    if (last !== undefined && last.code === stage.code && last.endMs === stage.startMs)
      result[result.length - 1] = { ...last, endMs: stage.endMs };
    else result.push(stage);
  };
  let next = 0;
  for (const stage of stages) {
    let fromMs = stage.startMs;
    for (; next < wakes.length; next++) {
      const wake = wakes[next] as SleepStage;
      if (wake.startMs >= stage.endMs) break;
      add({ ...stage, startMs: fromMs, endMs: Math.max(fromMs, wake.startMs) });
      add({ ...wake, startMs: Math.max(fromMs, wake.startMs), endMs: Math.min(wake.endMs, stage.endMs) });
      fromMs = Math.max(fromMs, Math.min(wake.endMs, stage.endMs));
      // A wake that extends into the next stage continues there.
      if (wake.endMs > stage.endMs) break;
    }
    add({ ...stage, startMs: fromMs });
  }
  return result;
}

/** Seconds spent in a stage. */
export function secondsIn(stages: readonly SleepStage[], code: number): number {
  const ms = stages.reduce((sum, stage) => sum + (stage.code === code ? stage.endMs - stage.startMs : 0), 0);
  return Math.round(ms / 1000);
}
