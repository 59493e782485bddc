import type { LocalInstant, Zone } from './zone.ts';

const secondPassBias = 7 * 86_400_000;
/** A gap must be so much longer before than after the repeated hour until its readings count as the second pass. */
const clearlyLongerMs = 30 * 60_000;

/** Both instants of a wall clock that was shown twice: `later` is null for every other one. */
export interface ClockReadings {
  readonly first: LocalInstant;
  readonly later: LocalInstant | null;
}

/** The instants that a wall clock may mean. */
export function readingsOf(zone: Zone, wallMs: number): ClockReadings {
  const first = zone.toInstant(wallMs);
  return { first, later: first.kind === 'overlap' ? zone.toInstant(wallMs, wallMs + secondPassBias) : null };
}

/**
 * Where in a run of clocks of a repeated hour the second pass begins; its length: nowhere. A list in order of time steps back there.
 * One that does not step back holds one pass only, and its neighbours tell which: the second when the time before it is clearly longer
 * than the time after it, else the first.
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
 * The wall clocks of one list as instants, each pass of a repeated hour told from the other: by a step back of the clock, by a clock that
 * stands there twice in a row (a list sorted by clock), by the readings before and after. Where nothing tells, the first pass is meant.
 * The answer depends on the list alone, so a reading comes out the same in whatever window its list is read. `startMs`: before the first.
 */
export function listInstants(zone: Zone, walls: readonly number[], startMs = Number.NEGATIVE_INFINITY): LocalInstant[] {
  return resolve(zone, walls, startMs, clearlyLongerMs);
}

/** Whether the clocks rise or fall where no hour is repeated; 'none' where they do both. A list that shows no direction rises. */
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
 * The same for the entries of one day that are made now and then, such as weighings: how far apart they lie says nothing of the pass, only
 * their order does. The list may begin with the newest. In one without an order the first pass is meant.
 */
export function entryInstants(zone: Zone, walls: readonly number[]): LocalInstant[] {
  const direction = directionOf(zone, walls);
  if (direction === 'none') return walls.map((wall) => readingsOf(zone, wall).first);
  const rising = direction === 'rising' ? walls : walls.toReversed();
  const instants = resolve(zone, rising, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
  return direction === 'rising' ? instants : instants.toReversed();
}
