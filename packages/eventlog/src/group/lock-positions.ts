import { plainArray, type Tx } from '@pulsewire/database';
import { newestPosition } from '../model/newest-row.ts';

/** A position that no other transaction can move before this one ends. */
export interface LockedPosition {
  readonly shard: number;
  /** Everything below it is recorded. */
  readonly offset: number;
  readonly epoch: number;
  /** Member that owns the shard; null when it has no owner. */
  readonly owner: string | null;
}

/**
 * Locks a group's positions of these shards until the end of the transaction, in the order of the shards, so that callers cannot deadlock.
 * For consumers whose own rows must not change while a position moves.
 */
export async function lockPositions({ sql }: Tx, group: string, shards: readonly number[]): Promise<readonly LockedPosition[]> {
  const sorted = [...new Set(shards)].sort((a, b) => a - b);
  const rows = await sql<{ shard: number; offset: string; epoch: string; owner: string | null }[]>`
    SELECT p.shard, p."offset", p.epoch, p.owner FROM unnest(${plainArray(sorted)}::smallint[]) AS v(shard)
    CROSS JOIN LATERAL ${newestPosition(sql, group, 'v.shard', '*', 'FOR UPDATE')} p`;
  return rows.map((row) => ({ ...row, offset: Number(row.offset), epoch: Number(row.epoch) }));
}
