import type { Executor } from '@pulsewire/database';
import type { ShardCursors } from './shard-cursors.ts';
import { firstOffsetOf, generationOf } from '../model/offsets.ts';
import { reachedPoints } from '../generation/reached.ts';

/**
 * Advances cursors with no events left before the current generation to that generation: only there can a quiet shard be checked without
 * reading the log. `nextOffset` is one of the current generation.
 */
export async function followGeneration(executor: Executor, cursors: ShardCursors, nextOffset: number): Promise<void> {
  const behind = cursors.pointsBelow(firstOffsetOf(generationOf(nextOffset)));
  if (behind.length === 0) return;
  const requested = new Map(behind.map(({ shard, offset }) => [shard, offset]));
  for (const point of await reachedPoints(executor, behind))
    if (cursors.nextOffsetOf(point.shard) === requested.get(point.shard)) cursors.passTo(point);
}
