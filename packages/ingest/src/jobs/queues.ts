import type { Queue } from 'pg-boss';

export const pullQueue = 'ingest-tick';
export const pushQueue = 'ingest-push';
export const subscribeQueue = 'ingest-subscribe';
export const appSubscribeQueue = 'ingest-app-subscribe';
export const bulkQueue = 'bulk-import';

export interface ConnectionJob {
  readonly connectionId: string;
}

export interface PushJob {
  readonly pushId: string;
  readonly day: string;
}

export interface BulkJob {
  readonly operationId: string;
}

/** An application whose subscriptions are to be checked. */
export interface AppJob {
  readonly provider: string;
  /** `platform` or a team's id. */
  readonly owner: string;
}

const minute = 60;

/**
 * The queues with the options they are created with. At most one job waits per connection, per push and per bulk operation (`short`). A run
 * ends within its own bounds; the expiry only catches a job that hangs.
 */
export const queues: readonly Queue[] = [
  {
    name: pullQueue,
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
  // Not retried by pg-boss: the row contains the time of the next attempt.
  { name: appSubscribeQueue, policy: 'short', notify: true, retryLimit: 0, expireInSeconds: 5 * minute, deleteAfterSeconds: 60 * minute },
  {
    name: bulkQueue,
    policy: 'short',
    notify: true,
    retryLimit: 5,
    retryDelay: 5,
    expireInSeconds: 5 * minute,
    deleteAfterSeconds: 10 * minute,
  },
];
