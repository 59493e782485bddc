import { Fifo } from './fifo.ts';
import type { Delivery, UserQueue } from './delivery.ts';

/**
 * The key includes the shard: after a reshard a user's events come from another shard, which is read once the old one is fully recorded.
 * The old shard's queue may still exist then, until that shard is released.
 */
export const userQueueKey = ({ endpointId, userId, shard }: Pick<UserQueue, 'endpointId' | 'userId' | 'shard'>): string =>
  `${endpointId}:${userId}:${shard}`;

export function newUserQueue(delivery: Delivery, userId: string): UserQueue {
  return {
    endpointId: delivery.endpoint.endpointId,
    userId,
    shard: delivery.event.shard,
    mode: 'lookup',
    head: null,
    waiting: new Fifo(),
    unwritten: 0,
  };
}
