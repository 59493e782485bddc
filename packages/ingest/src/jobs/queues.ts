import type { Queue } from 'pg-boss';

export const tickQueue = 'ingest-tick';
export const pushQueue = 'ingest-push';
export const subscribeQueue = 'ingest-subscribe';

export interface ConnectionJob {
  readonly connectionId: string;
}

export interface PushJob {
  readonly pushId: string;
  readonly day: string;
}

const minute = 60;

/**
 * The queues, as they are made when they are missing. Keys: one job waits per connection and one per push at most (`short`).
 * A tick runs no longer than its own bounds; the expiry only catches what hangs.
 */
export const queues: readonly Queue[] = [
  {
    name: tickQueue,
    policy: 'short',
    notify: true,
    retryLimit: 3,
    retryDelay: 5,
    expireInSeconds: 15 * minute,
    deleteAfterSeconds: 10 * minute,
  },
  {
    name: pushQueue,
    policy: 'short',
    notify: true,
    retryLimit: 8,
    retryDelay: 5,
    retryBackoff: true,
    expireInSeconds: 5 * minute,
    deleteAfterSeconds: 60 * minute,
  },
  {
    name: subscribeQueue,
    policy: 'short',
    notify: true,
    retryLimit: 12,
    retryDelay: 30,
    retryBackoff: true,
    expireInSeconds: 5 * minute,
    deleteAfterSeconds: 24 * 60 * minute,
  },
];
