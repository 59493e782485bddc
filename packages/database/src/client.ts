import { AppError } from '@pulsewire/kernel';
import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import { driverOptions } from './driver-options.ts';
import { instantText } from './instant-text.ts';
import { sessionSettings } from './session-settings.ts';
import { createSocketOpener } from './watched-socket.ts';

/**
 * Tagged-template SQL. Times and JSON are passed and returned as text: drizzle shares the client and switches off the driver's own
 * conversion for timestamps, dates and JSON parameters.
 */
export type Sql = postgres.ISql<NoTypes>;
type NoTypes = Record<never, never>;
/** A part of a statement that another one contains. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>;
export type Orm = PostgresJsDatabase;

/** Anything that runs statements: the pool, or one transaction. */
export interface Executor {
  readonly sql: Sql;
  readonly orm: Orm;
}

/** One open transaction. Passed to work functions; invalid after they return. */
export interface Tx extends Executor {
  readonly inTransaction: true;
}

export interface Database extends Executor {
  readonly url: string;
  /** Runs `work` in one transaction (READ COMMITTED); a throw rolls back and is rethrown. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** One reserved connection of the pool, for COPY or session settings. The caller must release it. */
  reserve(): Promise<postgres.ReservedSql>;
  /** Calls back for each notification on the channel, and after each reconnect with an empty payload. */
  listen(channel: string, onNotify: (payload: string) => void): Promise<{ unlisten(): Promise<void> }>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly url: string;
  /** Connections at most; each process has its own pool. */
  readonly connectionsMax?: number;
  /** Shown in pg_stat_activity. */
  readonly name?: string;
  /**
   * Milliseconds after which the server ends a statement; default 100,000, less than the client waits for a response, so that no statement
   * continues after its caller has given up. null: none, and the client waits as long as the connection lives, as migrations need it.
   */
  readonly statementTimeoutMs?: number | null;
  /** Seconds to try the hosts of the URL before a statement fails; default: `connect_timeout` of the URL, else 10. */
  readonly connectTimeoutSeconds?: number;
  /** Also uses a server that can only be read. */
  readonly isReadOnlyAllowed?: boolean;
}

const statementTimeoutMs = 100_000;
/** The type of instants in Postgres. */
const timestamptz = 1184;
/** A process that is idle returns its connections to the server after this long. */
const idleTimeoutSeconds = 60;
/** Between this and twice this, so that the connections of a process do not end together. */
const lifetimeSeconds = 20 * 60;

const verifiesHost = (tls: unknown) => tls === 'require' || tls === 'verify-ca' || tls === 'verify-full';

/**
 * Opens a pool. Connects on first use; reconnects by itself after the server was away. Of several hosts in the URL, and after a failover,
 * the one that can be written is used (`target_session_attrs`, unless the URL sets it); a connection to one that can only be read is closed.
 */
export function openDatabase(options: DatabaseOptions): Database {
  const timeoutMs = options.statementTimeoutMs === undefined ? statementTimeoutMs : options.statementTimeoutMs;
  const address = driverOptions(options.url);
  const root = postgres({
    ...address,
    max: options.connectionsMax ?? 10,
    connect_timeout: options.connectTimeoutSeconds ?? address.connect_timeout,
    idle_timeout: idleTimeoutSeconds,
    max_lifetime: Math.round(lifetimeSeconds * (1 + Math.random())),
    target_session_attrs: options.isReadOnlyAllowed === true ? null : address.target_session_attrs,
    session: sessionSettings(timeoutMs),
    // Seconds. The driver's own delay grows to twenty seconds, and every process would wait that long after a restart of the server.
    backoff: (failures: number) => Math.min(1, 0.02 * 2 ** failures),
    onnotice: () => {},
    connection: { application_name: options.name ?? 'pulsewire', ...address.connection },
    // TLS needs the driver's own socket, which sets the server name; there Nagle's delay costs less than the handshake.
    ...(verifiesHost(address.ssl) ? {} : { socket: createSocketOpener({ isWatched: timeoutMs !== null }) }),
  } as postgres.Options<Record<string, postgres.PostgresType>>) as unknown as postgres.Sql<NoTypes>;
  const orm = openOrm(root);

  return {
    url: options.url,
    sql: root,
    orm,
    async transaction(work) {
      const state = { isOver: false };
      try {
        return (await root.begin((sql) => work(createTx(sql, root, state)))) as never;
      } finally {
        state.isOver = true;
      }
    },
    reserve: () => root.reserve(),
    async listen(channel, onNotify) {
      const subscription = await root.listen(channel, onNotify, () => onNotify(''));
      return { unlisten: () => subscription.unlisten() };
    },
    close: () => root.end({ timeout: 5 }),
  };
}

/** Instants are text for all who use the client, in a form that is read the same everywhere: drizzle leaves the text of Postgres. */
function openOrm(client: postgres.Sql<NoTypes>): Orm {
  const orm = drizzle(client as unknown as postgres.Sql);
  (client.options.parsers as Record<number, (text: string) => unknown>)[timestamptz] = instantText;
  return orm;
}

function createTx(sql: postgres.TransactionSql<NoTypes>, root: postgres.Sql<NoTypes>, state: { readonly isOver: boolean }): Tx {
  // A statement after the end would run outside of any transaction.
  const check = () => {
    if (state.isOver)
      throw new AppError({
        code: 'transaction_over',
        kind: 'bug',
        message: 'The transaction has ended; this statement would run outside of it',
      });
  };
  let orm: Orm | undefined;
  return {
    inTransaction: true,
    get sql() {
      check();
      return sql;
    },
    get orm() {
      check();
      // drizzle needs the options, which only the pool has.
      orm ??= openOrm(Object.assign(sql, { options: root.options }) as unknown as postgres.Sql<NoTypes>);
      return orm;
    },
  };
}

/** The pool of a service: its own, or that of the process which it is a part of and which closes it. */
export function openOrShare(shared: Database | undefined, options: DatabaseOptions): Database {
  return shared ? { ...shared, close: async () => {} } : openDatabase(options);
}

/**
 * The same pool for callers whose transactions must take turns: a transaction that waits for a lock keeps its connection, so that one caller
 * with many of them would otherwise leave none to the others.
 */
export function takeTurns(database: Database, turn: <T>(work: () => Promise<T>) => Promise<T>): Database {
  return { ...database, transaction: (work) => turn(() => database.transaction(work)) };
}
