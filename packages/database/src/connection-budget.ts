import { AppError, type Logger } from '@pulsewire/kernel';
import { openDatabase, type Executor } from './client.ts';

/** How many connections a process may still open at this server. */
export interface ConnectionBudget {
  /** Connections that roles without special rights may have together. */
  readonly limit: number;
  /** Those of other processes. */
  readonly others: number;
}

/** Compares with what other processes have open now; those of this pool are left out. */
export async function readConnectionBudget({ sql }: Executor): Promise<ConnectionBudget> {
  const [row] = await sql<{ limit: number; others: number }[]>`
    SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0) AS "limit",
      (SELECT count(*)::int FROM pg_stat_activity
        WHERE backend_type = 'client backend' AND application_name <> current_setting('application_name')) AS others`;
  return { limit: row?.limit ?? 0, others: row?.others ?? 0 };
}

/** Beside the pool of each process: one for notifications. */
const listeners = 1;
/** Those of a command that runs meanwhile. */
const commandConnections = 2;
/** The part of the server that the worker processes of one service take without being told to: the other services need theirs. */
const serviceShare = 1 / 4;

export interface PoolsWanted {
  readonly url: string;
  /** Name of the pools: connections under this name are usually those of the process that this one replaces, and are not counted. */
  readonly name: string;
  /** Worker processes, each with a pool of its own. */
  readonly workers: { readonly count: number; /** May be lowered. */ readonly isAuto: boolean };
  /** The part of the server's connections that workers may take whose number is not set; default: a quarter. */
  readonly share?: number;
  /** Processes with such a pool beside the workers. */
  readonly others?: number;
  /** Of each pool, and the least with which its process works. */
  readonly connectionsMax: number;
  readonly connectionsMin: number;
  readonly logger: Logger;
}

export interface PoolsAfforded {
  /** Worker processes. */
  readonly count: number;
  /** Of each pool. */
  readonly connectionsMax: number;
}

/** What fits into a number of connections: the pools become smaller first, then there are fewer of them. */
export function divideConnections(connections: number, wanted: Omit<PoolsWanted, 'url' | 'name' | 'logger'>): PoolsAfforded | null {
  const { workers, others = 0, connectionsMax, connectionsMin } = wanted;
  const most = Math.floor(connections / (connectionsMin + listeners)) - others;
  const count = workers.isAuto ? Math.min(workers.count, most) : workers.count;
  if (count < 1 || count > most) return null;
  return { count, connectionsMax: Math.min(connectionsMax, Math.floor(connections / (count + others)) - listeners) };
}

/**
 * The pools that processes of one service may have: as wanted, or as the server has connections left. Throws AppError
 * `database_connections_short` when these are too few.
 */
export async function affordPools(wanted: PoolsWanted): Promise<PoolsAfforded> {
  const { url, name, workers, share = serviceShare, others: beside = 0, connectionsMax, connectionsMin, logger } = wanted;
  const database = openDatabase({ url, name, connectionsMax: 1 });
  try {
    const { limit, others } = await readConnectionBudget(database);
    const left = limit - others - commandConnections;
    const isShared = workers.isAuto && workers.count + beside > 1;
    const usable = isShared ? Math.min(left, Math.max(connectionsMax + listeners, Math.floor(limit * share))) : left;
    const afforded = divideConnections(usable, wanted);
    if (afforded === null)
      throw new AppError({
        code: 'database_connections_short',
        kind: 'unavailable',
        message: `Postgres allows ${limit} connections and other programs have ${others} of them; this process needs ${(workers.count + beside) * (connectionsMin + listeners) + commandConnections}. Raise max_connections, or end some of the others${workers.count > 1 ? ', or lower WORKERS' : ''}`,
        retryable: true,
      });
    if (afforded.connectionsMax < connectionsMax || afforded.count < workers.count) {
      const fields = { limit, others, wanted: connectionsMax, ...afforded };
      if (left < (workers.count + beside) * (connectionsMax + listeners)) logger.warn(fields, 'database.connections_short');
      else logger.info(fields, 'database.connections_shared');
    }
    return afforded;
  } finally {
    await database.close();
  }
}
