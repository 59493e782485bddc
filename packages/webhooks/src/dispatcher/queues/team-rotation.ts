export interface OfTeam {
  readonly endpoint: { readonly teamId: string };
}

const looksMax = 32;

/** Round-robin of waiting queues: by team, and by endpoint within a team. */
export class TeamRotation<Queue extends OfTeam> {
  readonly #teams = new Map<string, Set<Queue>>();

  get isEmpty(): boolean {
    return this.#teams.size === 0;
  }

  /** Behind all others of its team; a team that did not wait comes behind all teams. */
  add(queue: Queue): void {
    const { teamId } = queue.endpoint;
    const queues = this.#teams.get(teamId);
    if (queues) queues.add(queue);
    else this.#teams.set(teamId, new Set([queue]));
  }

  /**
   * The teams that wait, in turn. For each team takes the first of its queues for which `take` is true, and moves the team behind all
   * others.
   */
  *rounds(canTake: (queue: Queue) => boolean): IterableIterator<Queue> {
    // The map keeps the order of insertion and is walked as it grows: a team that was served comes again after all others.
    for (const [teamId, queues] of this.#teams) {
      const queue = firstOf(queues, canTake);
      if (queue === undefined) continue;
      queues.delete(queue);
      this.#teams.delete(teamId);
      if (queues.size > 0) this.#teams.set(teamId, queues);
      yield queue;
    }
  }
}

/** Moves queues that cannot take a place to the end, so that the next check starts elsewhere and need not walk a thousand queues. */
function firstOf<Queue>(queues: Set<Queue>, canTake: (queue: Queue) => boolean): Queue | undefined {
  let looks = Math.min(looksMax, queues.size);
  for (const queue of queues) {
    if (looks === 0) return undefined;
    looks -= 1;
    if (canTake(queue)) return queue;
    queues.delete(queue);
    queues.add(queue);
  }
  return undefined;
}
