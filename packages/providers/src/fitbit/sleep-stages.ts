import type { JsonNode } from '../kit/json-node.ts';
import { parseWallClock } from '../kit/time.ts';
import type { Zone } from '../kit/zone.ts';

/** A stretch of one stage; times in ms since the epoch, the end exclusive. */
export interface SleepStage {
  readonly startMs: number;
  readonly endMs: number;
  /** Code of contract appendix A: 1 deep, 2 light, 3 REM, 4 awake, -1 unknown. */
  readonly code: number;
}

const awake = 4;

// Classic logs know no stages. Asleep counts as light, because the summary has no other place for it and its total must
// add up; restless counts as awake, which is how Fitbit itself counts `minutesAwake`.
const codes: Readonly<Record<string, number>> = { deep: 1, light: 2, rem: 3, wake: awake, asleep: 2, restless: awake, awake };

function readStages(list: JsonNode, zone: Zone, sleepStartMs: number): SleepStage[] {
  let expectedMs = sleepStartMs;
  return list.itemsOrNone().map((item) => {
    const startMs = zone.toInstant(item.at('dateTime').time(parseWallClock), expectedMs).ms;
    const level = item.at('level').text();
    expectedMs = startMs + item.at('seconds').amount() * 1000;
    return { startMs, endMs: expectedMs, code: Object.hasOwn(codes, level) ? (codes[level] as number) : -1 };
  });
}

/** The stages with short wakes cut out of them, in time order. Neighbours of one stage become one. */
function overlay(stages: readonly SleepStage[], wakes: readonly SleepStage[]): SleepStage[] {
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
      // A wake that reaches into the next stage goes on there.
      if (wake.endMs > stage.endMs) break;
    }
    add({ ...stage, startMs: fromMs });
  }
  return result;
}

function byStart(a: SleepStage, b: SleepStage): number {
  return a.startMs - b.startMs;
}

/**
 * The stages of one sleep log. `shortData` holds the wakes of up to three minutes; they lie over `data`, and without
 * them the time awake does not match Fitbit's own total.
 */
export function readSleepStages(levels: JsonNode, zone: Zone, sleepStartMs: number): SleepStage[] {
  const stages = readStages(levels.at('data'), zone, sleepStartMs).toSorted(byStart);
  const wakes = readStages(levels.at('shortData'), zone, sleepStartMs).map((wake) => ({ ...wake, code: awake }));
  return overlay(stages, wakes.toSorted(byStart));
}

/** Seconds spent in a stage. */
export function secondsIn(stages: readonly SleepStage[], code: number): number {
  const ms = stages.reduce((sum, stage) => sum + (stage.code === code ? stage.endMs - stage.startMs : 0), 0);
  return Math.round(ms / 1000);
}
