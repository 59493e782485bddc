import type { Quarantined } from '@pulsewire/contract';
import { readEach, type JsonNode } from '../../../kit/values/json-node.ts';
import { readingsOf } from '../../../kit/time/list-instants.ts';
import { parseWallClock } from '../../../kit/time/time.ts';
import type { Zone } from '../../../kit/time/zone.ts';
import { awake, overlay, type SleepStage } from '../../../kit/records/overlay-wakes.ts';
import { placeWakes } from './place-wakes.ts';

// Classic logs have no stages. Asleep counts as light, because the summary has no other field for it and its total must
// add up; restless counts as awake, which is how Fitbit itself computes `minutesAwake`.
const codes: Readonly<Record<string, number>> = { deep: 1, light: 2, rem: 3, wake: awake, asleep: 2, restless: awake, awake };

function codeOf(level: string): number {
  return Object.hasOwn(codes, level) ? (codes[level] as number) : -1;
}

/**
 * The stages of `levels.data`. They are contiguous, so a stage begins where the previous one ended: that determines the pass of a
 * repeated hour, and the start of a stage without a readable time.
 */
function readStages(list: JsonNode, zone: Zone, sleepStartMs: number, quarantined: Quarantined[]): SleepStage[] {
  let expectedMs = sleepStartMs;
  return readEach('sleep', list, quarantined, (item): SleepStage => {
    const wallMs = parseWallClock(String(item.at('dateTime').value));
    const startMs = wallMs === undefined ? expectedMs : zone.toInstant(wallMs, expectedMs).ms;
    const endMs = startMs + item.at('seconds').amount() * 1000;
    const code = codeOf(item.at('level').text());
    expectedMs = endMs;
    return { startMs, endMs, code };
  });
}

/** Fitbit's own minutes by stage, if the log contains them. */
function readTotals(levels: JsonNode): ReadonlyMap<number, number> {
  const summary = levels.at('summary');
  const reported = (['deep', 'light', 'rem', 'wake'] as const).flatMap((level): (readonly [number, number])[] => {
    const minutes = summary.at(level).at('minutes').value;
    return typeof minutes === 'number' ? [[codeOf(level), minutes]] : [];
  });
  return new Map(reported);
}

/**
 * The stages of one sleep log. `shortData` contains the wakes of up to three minutes; they are overlaid on `data`, and without them the
 * time awake does not match Fitbit's own total. Unreadable parts are quarantined and the rest of the night is kept.
 */
export function readSleepStages(levels: JsonNode, zone: Zone, sleepStartMs: number, quarantined: Quarantined[]): SleepStage[] {
  if (levels.at('data').isMissing) return [];
  const stages = readStages(levels.at('data'), zone, sleepStartMs, quarantined).toSorted((a, b) => a.startMs - b.startMs);
  if (levels.at('shortData').isMissing) return overlay(stages, []);
  const wakes = readEach('sleep', levels.at('shortData'), quarantined, (item) => ({
    ...readingsOf(zone, item.at('dateTime').time(parseWallClock)),
    durationMs: item.at('seconds').amount() * 1000,
  }));
  return overlay(stages, placeWakes(stages, wakes, readTotals(levels)));
}
