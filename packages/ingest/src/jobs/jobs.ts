import { randomUUID } from 'node:crypto';
import { AppError, errorCode, isTransient } from '@pulsewire/kernel';
import { openDatabase, type Database, type Tx } from '@pulsewire/database';
import { PgBoss } from 'pg-boss';
import {
  appSubscribeQueue,
  bulkQueue,
  pushQueue,
  queues,
  subscribeQueue,
  pullQueue,
  type AppJob,
  type BulkJob,
  type ConnectionJob,
  type PushJob,
} from './queues.ts';
import { bossError } from './boss-error.ts';
import { listeningRunner, poolRunner, sqlRunner } from './sql-runner.ts';

/** Requests work, always inside the transaction of the change that needs it. */
export interface Jobs {
  /** A run of this connection as soon as a worker is free; a waiting one is brought forward. */
  wake(tx: Tx, connectionId: string): Promise<void>;
  /** The same for many connections. */
  wakeAll(tx: Tx, connectionIds: readonly string[]): Promise<void>;
  /** A run after `delayMs`, unless one is waiting already: that one reads the schedule itself. */
  wakeLater(tx: Tx, connectionId: string, delayMs: number): Promise<void>;
  workPush(tx: Tx, job: PushJob): Promise<void>;
  subscribe(tx: Tx, connectionId: string): Promise<void>;
  subscribeApp(tx: Tx, job: AppJob): Promise<void>;
  /** A run of this bulk operation by `workBulk` of `createIngest`. */
  workBulk(tx: Tx, operationId: string): Promise<void>;
  close(): Promise<void>;
}

const schema = 'pgboss';
const insufficientPrivilege = '42501';

/** A pg-boss without connections or timers of its own: it runs its statements in our pool. */
function bossOnPool(database: Database): PgBoss {
  const boss = new PgBoss({ db: poolRunner(database), schema, migrate: false, supervise: false, schedule: false });
  boss.on('error', () => {});
  return boss;
}

/**
 * Whether pg-boss's schema is up to date and has all of our queues. Only reads. Throws the error of a database that is away: processes then
 * try again.
 */
async function isInstalled(database: Database): Promise<boolean> {
  const boss = bossOnPool(database);
  try {
    await boss.start();
    return (await boss.getQueues(queues.map(({ name }) => name))).length === queues.length;
  } catch (error) {
    if (isTransient(error)) throw error;
    // `installJobs` reports the cause.
    return false;
  } finally {
    await boss.stop({ graceful: false, close: false }).catch(() => {});
  }
}

/**
 * Creates pg-boss's schema and our queues if they are missing. Safe when several processes start at once. Throws AppError
 * `jobs_not_installed` when something is missing and this role may not create it.
 */
export async function installJobs(database: Database): Promise<void> {
  if (await isInstalled(database)) return;
  try {
    await install(database);
  } catch (cause) {
    if (errorCode(cause) !== insufficientPrivilege) throw cause;
    throw jobsMissing(cause);
  }
}

async function install({ url }: Database): Promise<void> {
  // One connection of our own: pg-boss sends whole transactions as one text, and its own connections would have the server's settings.
  const database = openDatabase({ url, connectionsMax: 1, name: 'pulsewire-jobs', statementTimeoutMs: null });
  const boss = new PgBoss({ db: sqlRunner(database), schema, supervise: false, schedule: false });
  boss.on('error', () => {});
  try {
    await boss.start();
    for (const { name, ...options } of queues) await boss.createQueue(name, options);
    await boss.stop({ graceful: false, close: false });
  } finally {
    await database.close();
  }
}

const jobsMissing = (cause?: unknown) =>
  new AppError({
    code: 'jobs_not_installed',
    kind: 'invalid',
    message:
      'The job queues are missing or out of date, or this database role has no rights on them. Run `npm run admin -- migrate` and `npm run admin -- database grant <role>` with the DATABASE_URL of the owner',
    cause,
  });

/**
 * Opens the requesting side. It has no database connections: each job goes through the caller's transaction. Throws AppError
 * `jobs_not_installed`.
 */
export async function openJobs(database: Database): Promise<Jobs> {
  if (!(await isInstalled(database))) throw jobsMissing();
  const boss = await bossOnPool(database).start();
  return {
    async wake(tx, connectionId) {
      const data: ConnectionJob = { connectionId };
      await boss.upsert(pullQueue, data, { singletonKey: connectionId, startAfter: 0, db: sqlRunner(tx) });
    },
    async wakeAll(tx, connectionIds) {
      if (connectionIds.length === 0) return;
      const jobs = connectionIds.map((connectionId) => ({ id: randomUUID(), data: { connectionId }, singletonKey: connectionId }));
      const inserted = new Set(await boss.insert(pullQueue, jobs, { db: sqlRunner(tx), returnId: true }));
      // The others have a waiting job, which may be due only later.
      for (const { id, data } of jobs)
        if (!inserted.has(id)) await boss.upsert(pullQueue, data, { singletonKey: data.connectionId, startAfter: 0, db: sqlRunner(tx) });
    },
    async wakeLater(tx, connectionId, delayMs) {
      const data: ConnectionJob = { connectionId };
      const startAfter = Math.max(0, Math.ceil(delayMs / 1000));
      await boss.send(pullQueue, data, { singletonKey: connectionId, startAfter, db: sqlRunner(tx) });
    },
    async workPush(tx, job) {
      await boss.send(pushQueue, job, { singletonKey: job.pushId, db: sqlRunner(tx) });
    },
    async subscribe(tx, connectionId) {
      const data: ConnectionJob = { connectionId };
      await boss.send(subscribeQueue, data, { singletonKey: connectionId, db: sqlRunner(tx) });
    },
    async workBulk(tx, operationId) {
      const data: BulkJob = { operationId };
      await boss.send(bulkQueue, data, { singletonKey: operationId, db: sqlRunner(tx) });
    },
    async subscribeApp(tx, job) {
      await boss.send(appSubscribeQueue, job, { singletonKey: `${job.provider} ${job.owner}`, db: sqlRunner(tx) });
    },
    close: () => boss.stop({ graceful: false, close: false }),
  };
}

/** Opens what fetches and completes jobs one after the other; it neither listens nor supervises. */
export function openFetcher(database: Database, onError: (error: Error) => void): Promise<PgBoss> {
  const boss = new PgBoss({ db: poolRunner(database), schema, migrate: false, supervise: false, schedule: false });
  boss.on('error', (error) => onError(bossError(error)));
  return boss.start();
}

/** Opens the worker side in our pool, with a connection that listens, so that a job starts at once. */
export async function openBoss(database: Database, onError: (error: Error) => void): Promise<PgBoss> {
  const boss = new PgBoss({
    db: listeningRunner(database),
    schema,
    migrate: false,
    schedule: false,
    useListenNotify: true,
    superviseIntervalSeconds: 30,
  });
  boss.on('error', (error) => onError(bossError(error)));
  return boss.start();
}
