import { parsePostgresUrl } from '@pulsewire/kernel';

/** The driver's own defaults, each of which it would otherwise take from a variable such as `PGPREPARE` or `PGMAX_PIPELINE`. */
const defaults = {
  ssl: false,
  sslnegotiation: null,
  max_pipeline: 100,
  keep_alive: 60,
  prepare: true,
  debug: false,
  fetch_types: true,
  publications: 'alltables',
} as const;

/** The parameters of a URL that set an option under another name. */
const sslNames = ['sslmode', 'sslrootcert'];

/**
 * Options that the URL leaves open, so that no variable of the environment changes how the driver works: `PGPREPARE=false` makes transactions
 * unsafe, and `PGPORT` leads elsewhere. Only `PGUSER`, `PGPASSWORD` and `PGDATABASE` count, as for every client, where the URL has none.
 */
export function driverOptions(text: string): Record<string, unknown> {
  const url = parsePostgresUrl(text)?.url;
  const isOpen = (name: string) =>
    url?.searchParams.has(name) !== true && !(name === 'ssl' && sslNames.some((other) => url?.searchParams.has(other)));
  return { ...Object.fromEntries(Object.entries(defaults).filter(([name]) => isOpen(name))), ...(url?.port === '' && { port: 5432 }) };
}

/** For servers of our own, which can be written whatever `PGTARGETSESSIONATTRS` asks for. */
export const ownServerOptions = (url: string) => ({ ...driverOptions(url), target_session_attrs: 'read-write' as const, max: 1 });
