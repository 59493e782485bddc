import { plainArray, type Tx } from '@pulsewire/database';
import { AppError } from '@pulsewire/kernel';
import type { Member } from './member.ts';
import { newestPosition, isPosition, newestShard, slotOf } from '../model/newest-row.ts';
import type { Position } from '../model/types.ts';

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

/**
 * Moves positions, each only under its current epoch, under no lease from before a loss of history, and never beyond the end of the log.
 * Throws AppError `lease_lost` with the `shards` that were refused.
 */
export async function movePositions({ sql }: Tx, member: Member, positions: readonly Position[]): Promise<void> {
  if (positions.length === 0) return;
  const sorted = positions.toSorted((a, b) => a.shard - b.shard);
  // Checks the timeline too: a position may be saved on a promoted standby before anything is appended there.
  const moved = await sql<{ shard: number }[]>`
    UPDATE log_positions p SET "offset" = v."offset", slot = ${slotOf(sql, 'v."offset"')}, day = v.day
    FROM unnest(
      ${plainArray(sorted.map((position) => position.shard))}::smallint[],
      ${plainArray(sorted.map((position) => position.offset))}::bigint[],
      ${plainArray(sorted.map((position) => position.day))}::date[],
      ${plainArray(sorted.map((position) => position.epoch))}::bigint[]
    ) AS v(shard, "offset", day, epoch)
    WHERE ${isPosition(sql, member.group, 'v.shard')} AND p.owner = ${member.memberId} AND p.epoch = v.epoch AND p."offset" <= v."offset"
      AND EXISTS (
        SELECT FROM ${newestShard(sql, 'v.shard')} s
        WHERE v."offset" <= s.next_offset AND v.epoch >> 32 = s.fence
          AND CASE WHEN s.timeline IS NULL THEN true ELSE s.timeline = left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) END)
    RETURNING p.shard`;
  if (moved.length === positions.length) return;
  const done = new Set(moved.map(({ shard }) => shard));
  throw new AppError({
    code: 'lease_lost',
    kind: 'conflict',
    message: 'Another member owns a shard of this batch',
    retryable: true,
    details: { shards: sorted.map(({ shard }) => shard).filter((shard) => !done.has(shard)) },
  });
}
