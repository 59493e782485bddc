import { run, type Executor } from '@pulsewire/database';
import { logGenerations } from '../model/tables.ts';
import { firstOffsetOf, generationOf } from '../model/offsets.ts';

interface End {
  readonly generation: number;
  readonly endsAt: number;
}

/** Earlier generations that a record names: a reader further behind reads the topic from its beginning anyway. */
const namedMax = 8;

/** Where the generations before the current one ended in each shard, in memory; as it was at the last `refresh`. */
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

  /** Whether the offset was handed out by a primary that is lost, and is not part of the log any more. */
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
