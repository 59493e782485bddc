import type { Lane } from './lane.ts';

const looksMax = 32;

/** Lanes that wait for a place, team by team: each team has its turn, and within a team each endpoint. */
export class Turns {
  readonly #teams = new Map<string, Set<Lane>>();

  get isEmpty(): boolean {
    return this.#teams.size === 0;
  }

  /** Behind all others of its team; a team that did not wait comes behind all teams. */
  add(lane: Lane): void {
    const { teamId } = lane.endpoint;
    const lanes = this.#teams.get(teamId);
    if (lanes) lanes.add(lane);
    else this.#teams.set(teamId, new Set([lane]));
  }

  /** The teams that wait, in turn. Each one is given the first of its lanes for which `take` is true, and goes behind all others. */
  *rounds(canTake: (lane: Lane) => boolean): IterableIterator<Lane> {
    // The map keeps the order of insertion and is walked as it grows: a team that was served comes again after all others.
    for (const [teamId, lanes] of this.#teams) {
      const lane = firstOf(lanes, canTake);
      if (lane === undefined) continue;
      lanes.delete(lane);
      this.#teams.delete(teamId);
      if (lanes.size > 0) this.#teams.set(teamId, lanes);
      yield lane;
    }
  }
}

/** Those that cannot take go behind the others, so that the next look begins elsewhere: a look must not walk a thousand lanes. */
function firstOf(lanes: Set<Lane>, canTake: (lane: Lane) => boolean): Lane | undefined {
  let looks = Math.min(looksMax, lanes.size);
  for (const lane of lanes) {
    if (looks === 0) return undefined;
    looks -= 1;
    if (canTake(lane)) return lane;
    lanes.delete(lane);
    lanes.add(lane);
  }
  return undefined;
}
