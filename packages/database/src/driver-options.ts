import type { Options, PostgresType } from 'postgres';
import { AppError, parsePostgresUrl } from '@pulsewire/kernel';

type DriverOptions = Options<Record<string, PostgresType>>;

/** The driver's own defaults, each of which it would otherwise take from a variable such as `PGPREPARE` or `PGMAX_PIPELINE`. */
const defaults = {
  max_pipeline: 100,
  keep_alive: 60,
  prepare: true,
  debug: false,
  fetch_types: true,
  publications: 'alltables',
} as const;

const connectTimeoutSeconds = 10;

/**
 * Everything that the driver needs to connect. It gets no URL: of one with several hosts it would not find those of IPv6 and use one port for
 * all, and it takes parameters as options of its own. No variable of the environment changes how it works either: `PGPREPARE=false` makes
 * transactions unsafe, and `PGHOST` leads elsewhere. Only `PGUSER`, `PGPASSWORD` and `PGDATABASE` count, as for every client, where the URL
 * has none. Throws AppError `config_invalid`.
 */
export function driverOptions(url: string): DriverOptions {
  const parsed = parsePostgresUrl(url);
  if (parsed === null) throw new AppError({ code: 'config_invalid', kind: 'invalid', message: 'The URL of Postgres cannot be used' });
  const { hosts, ports, user, password, database, tls, session } = parsed;
  const [host = '', port] = [hosts[0], ports[0]];
  return {
    ...defaults,
    host: [...hosts],
    port: [...ports],
    ...(host.startsWith('/') && { path: `${host}/.s.PGSQL.${port}` }),
    ...(user !== undefined && { user }),
    ...(password !== undefined && { pass: password }),
    ...(database !== undefined && { database }),
    ssl: tls ?? false,
    sslnegotiation: parsed.isTlsDirect ? 'direct' : null,
    connect_timeout: parsed.connectTimeoutSeconds ?? connectTimeoutSeconds,
    target_session_attrs: parsed.target === 'any' ? null : (parsed.target ?? 'read-write'),
    connection: session,
    // Its types know neither lists of hosts nor all of its options.
  } as unknown as DriverOptions;
}

/** For servers of our own, which can be written whatever `PGTARGETSESSIONATTRS` asks for. */
export const ownServerOptions = (url: string): DriverOptions => ({ ...driverOptions(url), target_session_attrs: 'read-write', max: 1 });
