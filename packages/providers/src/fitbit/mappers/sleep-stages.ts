import type { Quarantined } from '@pulsewire/contract';
import { awake, overlay, secondsIn, type SleepStage } from '../../kit/records/sleep/overlay-wakes.ts';
import { readingsOf, type ClockReadings } from '../../kit/time/list-instants.ts';
import { parseWallClock } from '../../kit/time/time.ts';
import type { Zone } from '../../kit/time/zone.ts';
import { readEach, type JsonNode } from '../../kit/values/json-node.ts';

/** A short wake whose clock may have been shown twice that night. */
export interface ReadWake extends ClockReadings {
  readonly durationMs: number;
}

/** The wakes at their first possible instant, or at the later one from index `secondFrom` on where there are two. */
function wakesFrom(wakes: readonly ReadWake[], secondFrom: number): SleepStage[] {
  return wakes.map(({ first, later, durationMs }, index) => {
    const startMs = (index >= secondFrom ? (later ?? first) : first).ms;
    return { startMs, endMs: startMs + durationMs, code: awake };
  });
}

function byStart(a: SleepStage, b: SleepStage): number {
  return a.startMs - b.startMs;
}

/** How much a placement differs from the log's totals: seconds of wakes that interrupt no sleep, plus the deviation of each stage. */
function misfit(stages: readonly SleepStage[], wakes: readonly SleepStage[], totals: ReadonlyMap<number, number>): number {
  const placed = overlay(stages, wakes.toSorted(byStart));
  const wanted = wakes.reduce((sum, { startMs, endMs }) => sum + (endMs - startMs) / 1000, 0);
  const lost = wanted - (secondsIn(placed, awake) - secondsIn(stages, awake));
  return [...totals].reduce((sum, [code, minutes]) => sum + Math.abs(secondsIn(placed, code) - minutes * 60), Math.max(0, lost));
}

/**
 * The short wakes of a night as intervals, in chronological order. Fitbit lists them in that order, so in a repeated hour the wakes of the
 * second pass are at the end of the list; the index where it begins is the one that fits the log's own totals best. By default, the first
 * pass applies.
 */
export function placeWakes(stages: readonly SleepStage[], wakes: readonly ReadWake[], totals: ReadonlyMap<number, number>): SleepStage[] {
  if (wakes.every(({ later }) => later === null)) return wakesFrom(wakes, wakes.length).toSorted(byStart);
  // Only wakes with two possible instants make a difference.
  const places = [wakes.length, ...wakes.flatMap(({ later }, index) => (later ? [index] : [])).toReversed()];
  const placings = places.map((secondFrom) => wakesFrom(wakes, secondFrom));
  const isInOrder = (placing: readonly SleepStage[]) =>
    placing.every(({ startMs }, index) => index === 0 || startMs >= (placing[index - 1]?.startMs ?? 0));
  const possible = placings.some(isInOrder) ? placings.filter(isInOrder) : placings;
  const fits = possible.map((placing) => ({ placing, cost: misfit(stages, placing, totals) }));
  const best = fits.reduce((found, fit) => (fit.cost < found.cost ? fit : found));
  return best.placing.toSorted(byStart);
}

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
