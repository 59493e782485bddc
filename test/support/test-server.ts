import { migrate, type Database } from '@pulsewire/database';
import { startTestServer as start, type TestServer } from '@pulsewire/database/testing';
import { installJobs } from '@pulsewire/ingest';

/** Migrates a database of a test as `npm run admin -- migrate` does: the schema and the job queues. */
export async function prepareDatabase(database: Database): Promise<void> {
  await migrate(database);
  await installJobs(database);
}

/** A Postgres for tests and benchmarks whose template is prepared. */
export function startTestServer(options: { readonly url?: string | undefined; readonly durable?: boolean } = {}): Promise<TestServer> {
  return start({ ...options, prepare: installJobs });
}
