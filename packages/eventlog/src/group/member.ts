import type { ReadPoint } from '../model/types.ts';

export interface Member {
  readonly group: string;
  readonly memberId: string;
  /** A member that is silent for this long is removed by the others, and its shards are free. */
  readonly leaseMs: number;
}

/** A shard that this member owns, its next offset, and its epoch. */
export interface OwnedShard extends ReadPoint {
  readonly epoch: number;
}
