import type { LocalInstant, Zone } from './zone.ts';

const secondPassBias = 7 * 86_400_000;
/** How much longer the gap before readings in a repeated hour must be than the gap after them for them to count as the second pass. */
const clearlyLongerMs = 30 * 60_000;

/** The instants of a wall clock; `later` is null unless clocks showed it twice. */
export interface ClockReadings {
  readonly first: LocalInstant;
  readonly later: LocalInstant | null;
}

/** The possible instants of a wall clock. */
export function readingsOf(zone: Zone, wallMs: number): ClockReadings {
  const first = zone.toInstant(wallMs);
  return { first, later: first.kind === 'overlap' ? zone.toInstant(wallMs, wallMs + secondPassBias) : null };
}

/**
 * The index at which the second pass begins in a run of clocks of a repeated hour; the run's length when there is none. A
 * chronological list steps back there. A run that does not step back contains one pass only: the second if the gap before the run is
 * clearly longer than the gap after it, else the first.
 */
function secondPassFrom(
  walls: readonly number[],
  run: readonly ClockReadings[],
  { beforeMs, afterMs, longerMs }: { readonly beforeMs: number; readonly afterMs: number; readonly longerMs: number },
): number {
  const stepsBack = walls.findIndex((wall, index) => index > 0 && wall < (walls[index - 1] as number));
  if (stepsBack > 0) return stepsBack;
  const [opening, closing] = [run[0], run.at(-1)];
  if (!opening?.later || !closing?.later) return run.length;
  const gapBefore = opening.first.ms - beforeMs;
  const gapAfter = afterMs - closing.later.ms;
  return gapBefore - gapAfter > longerMs ? 0 : run.length;
}

function resolve(zone: Zone, walls: readonly number[], startMs: number, longerMs: number): LocalInstant[] {
  const readings = walls.map((wall) => readingsOf(zone, wall));
  const instants = readings.map(({ first }) => first);
  for (let from = 0; from < readings.length; from++) {
    if (!readings[from]?.later) continue;
    let to = from;
    while (readings[to]?.later) to += 1;
    const run = readings.slice(from, to);
    const runWalls = walls.slice(from, to);
    const isDouble = (index: number) => index > 0 && runWalls[index] === runWalls[index - 1];
    const beforeMs = instants[from - 1]?.ms ?? startMs;
    const afterMs = readings[to]?.first.ms ?? Number.POSITIVE_INFINITY;
    const secondFrom = secondPassFrom(runWalls, run, { beforeMs, afterMs, longerMs });
    run.forEach(({ later }, index) => {
      if (later && (index >= secondFrom || (secondFrom === run.length && isDouble(index)))) instants[from + index] = later;
    });
    from = to;
  }
  return instants;
}

/**
 * Converts the wall clocks of one list to instants. The passes of a repeated hour are distinguished by a step back of the clock, by a
 * clock that occurs twice in a row (a list sorted by clock), or by the readings before and after; otherwise the first pass is used.
 * The result depends on the list only, so a reading is the same in every window that contains its list. `startMs`: before the first.
 */
export function listInstants(zone: Zone, walls: readonly number[], startMs = Number.NEGATIVE_INFINITY): LocalInstant[] {
  return resolve(zone, walls, startMs, clearlyLongerMs);
}

/** Whether the clocks outside repeated hours rise or fall; 'none' when they do both. The default is rising. */
function directionOf(zone: Zone, walls: readonly number[]): 'rising' | 'falling' | 'none' {
  const isRepeated = walls.map((wall) => readingsOf(zone, wall).later !== null);
  const steps = walls.flatMap((wall, index) => {
    const before = walls[index - 1];
    return before === undefined || (isRepeated[index] && isRepeated[index - 1]) ? [] : [wall - before];
  });
  if (steps.every((step) => step >= 0)) return 'rising';
  return steps.every((step) => step <= 0) ? 'falling' : 'none';
}

/**
 * The same for irregular entries of one day, such as weighings: only their order indicates the pass, not the time between them. The list
 * may be in descending order. An unordered list uses the first pass.
 */
export function entryInstants(zone: Zone, walls: readonly number[]): LocalInstant[] {
  const direction = directionOf(zone, walls);
  if (direction === 'none') return walls.map((wall) => readingsOf(zone, wall).first);
  const rising = direction === 'rising' ? walls : walls.toReversed();
  const instants = resolve(zone, rising, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
  return direction === 'rising' ? instants : instants.toReversed();
}
