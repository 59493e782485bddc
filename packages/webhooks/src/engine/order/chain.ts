import { Fifo } from '../fifo.ts';
import type { Delivery } from '../types.ts';

/**
 * The line of one user at one ordered endpoint, as far as it is in memory. `asking`: the database is being asked whether rows of
 * this user wait. `live`: there are none, and the head is sent straight from the log. `rows`: there are, or there will be, so
 * whatever comes becomes a row behind them.
 */
export interface Chain {
  readonly endpointId: string;
  readonly userId: string;
  readonly shard: number;
  mode: 'asking' | 'live' | 'rows';
  /** Not settled, and not a row. */
  head: Delivery | null;
  readonly waiting: Fifo<Delivery>;
  /** Rows that are not committed yet: until then the database cannot tell of them. */
  unwritten: number;
}

/**
 * With the shard: after a reshard a user's events come from another one, which is read when all of the old one is recorded. The chain
 * of the old shard may still be known at that moment, and goes when that shard is given back.
 */
export const chainKey = ({ endpointId, userId, shard }: Pick<Chain, 'endpointId' | 'userId' | 'shard'>): string =>
  `${endpointId}:${userId}:${shard}`;

export function newChain(delivery: Delivery, userId: string): Chain {
  return {
    endpointId: delivery.endpoint.endpointId,
    userId,
    shard: delivery.event.shard,
    mode: 'asking',
    head: null,
    waiting: new Fifo(),
    unwritten: 0,
  };
}
