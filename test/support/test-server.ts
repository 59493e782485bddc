import { startTestServer as start, type TestServer } from '@pulsewire/database/testing';
import { installJobs } from '@pulsewire/ingest';

/** A Postgres for tests and benchmarks whose template has the schema and the job queues, as `npm run admin -- migrate` leaves it. */
export function startTestServer(options: { readonly url?: string | undefined; readonly durable?: boolean } = {}): Promise<TestServer> {
  return start({ ...options, prepare: installJobs });
}
