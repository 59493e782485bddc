import { errorCode, errorMessage, sleep } from '@pulsewire/kernel';
import type { PgBoss } from 'pg-boss';
import { createBudgets } from './quota/budgets.ts';
import { createLongWaitSlots } from './quota/long-wait-slots.ts';
import { maintainBudgets } from './maintenance/maintain-budgets.ts';
import { defaultSettings, type IngestContext, type IngestSettings } from './context/context.ts';
import { openBoss, openFetcher } from './jobs/jobs.ts';
import {
  appSubscribeQueue,
  bulkQueue,
  pushQueue,
  subscribeQueue,
  pullQueue,
  type AppJob,
  type BulkJob,
  type ConnectionJob,
  type PushJob,
} from './jobs/queues.ts';
import { wakeOverdue } from './maintenance/heal.ts';
import { renewAppSubscription } from './push/subscriptions/app-subscription.ts';
import { subscribe } from './push/subscriptions/subscribe.ts';
import { applyPush } from './push/apply/apply-push.ts';
import { runConnection } from './run/run-connection.ts';

export interface Ingest {
  /** Runs until the signal aborts, then returns work in flight to the queues and resolves. */
  run(signal: AbortSignal): Promise<void>;
  /** Runs everything that is due, one job after the other, and resolves when nothing is left. For tests and one-off runs. */
  drain(signal?: AbortSignal): Promise<void>;
}

export type IngestOptions = Omit<IngestContext, 'settings' | 'random' | 'budgets' | 'longWaits'> & {
  readonly settings?: Partial<IngestSettings>;
  readonly random?: () => number;
  /** Runs a bulk operation for a bounded time; without it those jobs are left to other processes. */
  readonly workBulk?: (operationId: string, signal: AbortSignal) => Promise<void>;
};

interface Work {
  readonly queue: string;
  readonly concurrency: number;
  handle(data: unknown, signal: AbortSignal): Promise<unknown>;
}

const stopTimeoutMs = 8000;
const maintainEveryMs = 1000;

/** Logs a failed job and rethrows, so that pg-boss retries it. */
function guarded(context: IngestContext, { queue, handle }: Work): Work['handle'] {
  return async (data, signal) => {
    try {
      await handle(data, signal);
    } catch (error) {
      if (!signal.aborted) context.logger.error({ queue, error }, 'job.failed');
      throw error;
    }
  };
}

/** Builds the worker side of ingest. Any number of processes may run one; each connection is leased to one of them at a time. */
export function createIngest(options: IngestOptions): Ingest {
  const settings = { ...defaultSettings, ...options.settings };
  const context: IngestContext = {
    ...options,
    random: options.random ?? Math.random,
    budgets: createBudgets(options, settings.liveShare),
    // The other half stays free for work that does not wait.
    longWaits: createLongWaitSlots(Math.ceil(settings.concurrency / 2)),
    settings,
  };
  const { logger, database, clock } = context;
  const { workBulk } = options;
  const works: readonly Work[] = [
    {
      queue: pullQueue,
      concurrency: context.settings.concurrency,
      handle: (data, signal) => runConnection(context, (data as ConnectionJob).connectionId, signal),
    },
    { queue: pushQueue, concurrency: 4, handle: (data, signal) => applyPush(context, data as PushJob, signal) },
    { queue: subscribeQueue, concurrency: 2, handle: (data, signal) => subscribe(context, (data as ConnectionJob).connectionId, signal) },
    { queue: appSubscribeQueue, concurrency: 1, handle: (data, signal) => renewAppSubscription(context, data as AppJob, signal) },
    ...(workBulk
      ? [
          {
            queue: bulkQueue,
            concurrency: 1,
            handle: (data: unknown, signal: AbortSignal) => workBulk((data as BulkJob).operationId, signal),
          },
        ]
      : []),
  ];
  const logError = (error: Error): void => logger.error({ error }, 'job_queue.error');

  async function drainOnce(boss: PgBoss, signal: AbortSignal): Promise<number> {
    let count = (await maintainBudgets(context)) + (await wakeOverdue(context, clock.now()));
    for (const { queue, handle } of works) {
      for (let [job] = await boss.fetch(queue); job && !signal.aborted; [job] = await boss.fetch(queue)) {
        count += 1;
        await handle(job.data, signal).then(
          () => boss.complete(queue, job?.id ?? ''),
          (error: unknown) => boss.fail(queue, job?.id ?? '', { message: errorMessage(error) }),
        );
      }
    }
    return count;
  }

  return {
    async run(signal) {
      const boss = await openBoss(database, logError);
      try {
        for (const work of works) {
          const handle = guarded(context, work);
          for (let started = 0; started < work.concurrency; started++) {
            // A worker that finished a job fetches the next at once: a notification sent while all were busy has reached none of them.
            let worker = '';
            worker = await boss.work(work.queue, { pollingIntervalSeconds: 2 }, async ([job]) => {
              if (!job) return;
              await handle(job.data, AbortSignal.any([signal, job.signal])).finally(() => boss.notifyWorker(worker));
            });
          }
        }
        while (!signal.aborted) {
          await maintainBudgets(context).catch((error: unknown) =>
            logger.error({ errorCode: errorCode(error) }, 'budgets.maintain_failed'),
          );
          await sleep(maintainEveryMs, signal);
        }
      } finally {
        await boss.stop({ timeout: stopTimeoutMs });
      }
    },
    async drain(signal = new AbortController().signal) {
      const boss = await openFetcher(database, logError);
      try {
        while (!signal.aborted && (await drainOnce(boss, signal)) > 0);
      } finally {
        await boss.stop({ graceful: false });
      }
    },
  };
}
