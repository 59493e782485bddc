import { Fifo } from './fifo.ts';
import type { Delivery, UserQueue } from './delivery.ts';

/**
 * With the shard: after a reshard a user's events come from another one, which is read when all of the old one is recorded. The queue
 * of the old shard may still be known at that moment, and goes when that shard is given back.
 */
export const userQueueKey = ({ endpointId, userId, shard }: Pick<UserQueue, 'endpointId' | 'userId' | 'shard'>): string =>
  `${endpointId}:${userId}:${shard}`;

export function newUserQueue(delivery: Delivery, userId: string): UserQueue {
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
