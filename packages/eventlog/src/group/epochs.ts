import type { Sql } from '@pulsewire/database';
import { newestShard } from '../model/newest-row.ts';

const epochsPerFence = 2 ** 32;

/** The fence under which a lease was taken. */
export function fenceOf(epoch: number): number {
  return Math.floor(epoch / epochsPerFence);
}

/** The epoch of a new lease: above all epochs assigned under this fence or an earlier one, including those of a lost primary. */
export const nextEpoch = (sql: Sql) => sql`greatest(epoch, ${newestShard(sql, '0::smallint', 'n.fence')}::bigint << 32) + 1`;
