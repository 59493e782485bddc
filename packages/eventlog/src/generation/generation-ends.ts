import { run, type Executor } from '@pulsewire/database';
import { logGenerations } from '../model/tables.ts';
import { firstOffsetOf, generationOf } from '../model/offsets.ts';

interface End {
  readonly generation: number;
  readonly endsAt: number;
}

/** Number of earlier generations that a record names: a reader further behind reads the topic from its beginning anyway. */
const namedMax = 8;

/** The ends of the earlier generations in each shard, in memory, as of the last `refresh`. */
export class GenerationEnds {
  #generation = 0;
  #ends = new Map<number, End[]>();

  /** The newest generation that is known; 0 before the first `refresh`. */
  get generation(): number {
    return this.#generation;
  }

  async refresh({ orm }: Executor): Promise<void> {
    const { generation: ofGeneration, shard: ofShard, endsAt: end } = logGenerations;
    const query = orm.select({ generation: ofGeneration, shard: ofShard, endsAt: end }).from(logGenerations);
    const rows = await run(query.orderBy(ofShard, ofGeneration));
    const ends = new Map<number, End[]>();
    let newest = 0;
    for (const { generation, shard, endsAt } of rows) {
      newest = Math.max(newest, generation);
      if (endsAt === null) continue;
      const list = ends.get(shard);
      if (list) list.push({ generation, endsAt });
      else ends.set(shard, [{ generation, endsAt }]);
    }
    this.#ends = ends;
    this.#generation = newest;
  }

  /** Whether the offset was assigned by a lost primary and is no longer part of the log. */
  isLost(shard: number, offset: number): boolean {
    if (this.#generation === 0 || offset >= firstOffsetOf(this.#generation)) return false;
    const generation = generationOf(offset);
    return this.#ends.get(shard)?.some((end) => end.generation === generation && offset >= end.endsAt) ?? false;
  }

  /** `1=104 2=68719476740`: the ends in this shard of the generations before this one, the newest last; empty when there is none. */
  describeBefore(shard: number, generation: number): string {
    const before = (this.#ends.get(shard) ?? []).filter((end) => end.generation < generation).slice(-namedMax);
    return before.map((end) => `${end.generation}=${end.endsAt}`).join(' ');
  }
}
