/**
 * Which package may import which, with the reason of each row. Arrows only point down: a package imports only packages above it in this
 * table.
 */
export const packageDependencies: Readonly<Record<string, readonly string[]>> = {
  // Everything may import it, so it imports nothing.
  kernel: [],
  // Schemas and rendering without I/O, shared by all who produce or read events.
  contract: ['kernel'],
  // For services only: domain packages receive logger, metrics and clock as ports of kernel.
  runtime: ['kernel'],
  // HTTP to others; knows nothing of what is sent.
  outbound: ['kernel'],
  // Parses untrusted files in a separate process without access to anything else.
  'report-parser': [],
  // Client, migrations and encrypted columns, without knowledge of any domain.
  database: ['kernel'],
  // Writes its own table and needs no domain.
  audit: ['kernel', 'database'],
  // A connector fetches and maps, so that it can be tested without Postgres: no database, store or eventlog.
  providers: ['kernel', 'contract', 'outbound'],
  // Generates pages of the documentation from the connectors.
  docs: ['kernel', 'providers'],
  // The log treats events as opaque data, so it does not need the contract.
  eventlog: ['kernel', 'database'],
  // Publishes the log as records that are generated from the contract.
  kafka: ['kernel', 'contract', 'database', 'eventlog'],
  // Writes records, and their events in the same transaction.
  store: ['kernel', 'contract', 'database', 'eventlog'],
  // Reads the log and sends it; knows neither providers nor stored records.
  webhooks: ['kernel', 'contract', 'database', 'eventlog', 'outbound'],
  // Signs in at providers and keeps their tokens.
  connections: ['kernel', 'contract', 'database', 'eventlog', 'providers', 'outbound'],
  // Connects the three above: pulls from providers with the tokens of connections, and stores the records.
  ingest: ['kernel', 'contract', 'database', 'eventlog', 'providers', 'connections', 'store'],
  // Stores data that apps and phones send, within the same bounds of days as ingest.
  intake: ['kernel', 'contract', 'database', 'eventlog', 'providers', 'connections', 'store', 'ingest'],
  // Reads how data came through all of the above, for operators and teams.
  explain: ['contract', 'providers', 'connections', 'store', 'ingest', 'webhooks'],
  // Orders and results are independent of wearables; partners are called over HTTP.
  labs: ['kernel', 'contract', 'database', 'eventlog', 'outbound'],
  // Simulators never import providers, so that a misreading is not repeated on both sides.
  sandbox: ['kernel'],
};

/** The only service that may import other services: it composes them into one process. */
export const composingService = 'standalone';
