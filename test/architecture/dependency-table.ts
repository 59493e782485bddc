/**
 * Which package may import which. Arrows only point down: a package imports only packages above it in this table.
 * The same table, with its reasons, is in README.md beside this file.
 */
export const packageDependencies: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  contract: ['kernel'],
  runtime: ['kernel'],
  outbound: ['kernel'],
  'report-parser': [],
  database: ['kernel', 'contract'],
  audit: ['kernel', 'database'],
  providers: ['kernel', 'contract', 'outbound'],
  eventlog: ['kernel', 'database'],
  kafka: ['kernel', 'contract', 'database', 'eventlog'],
  store: ['kernel', 'contract', 'database', 'eventlog'],
  webhooks: ['kernel', 'contract', 'database', 'eventlog', 'outbound'],
  connections: ['kernel', 'contract', 'database', 'eventlog', 'providers', 'outbound'],
  ingest: ['kernel', 'contract', 'database', 'eventlog', 'providers', 'connections', 'store'],
  intake: ['kernel', 'contract', 'database', 'eventlog', 'providers', 'connections', 'store', 'ingest'],
  labs: ['kernel', 'contract', 'database', 'eventlog', 'outbound'],
  sandbox: ['kernel', 'contract', 'outbound'],
};

/** The only service that may import other services: it composes them into one process. */
export const composingService = 'standalone';
