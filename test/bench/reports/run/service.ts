import { randomUUID } from 'node:crypto';
import { createApiKey, createTeam, createUser } from '@pulsewire/connections';
import { openDatabase } from '@pulsewire/database';
import { createDatabase, dropDatabase } from '@pulsewire/database/testing';
import { startTestServer } from '../../../support/test-server.ts';
import { noMetrics, silentLogger, systemClock, type Logger } from '@pulsewire/kernel';
import { loadLabData } from '@pulsewire/labs';
import { compose as composeApi } from '@pulsewire/service-api';
import { compose as composeParser } from '@pulsewire/service-report-parser';
import { apiConfig } from '../../reads/open-bench.ts';
import { describeMachine } from '../../report.ts';
import type { ReadData } from './compare.ts';

export interface Parsed {
  readonly data: ReadData | null;
  readonly failure: string | null;
  /** Time of the parser, without waiting in the queue. */
  readonly ms: number;
}

/** The API and the report parser as production runs them, on a separate database. */
export interface ReportService extends AsyncDisposable {
  upload(files: readonly Buffer[]): Promise<string>;
  /** Runs the parser on the uploaded reports, one at a time, until each of these jobs has ended. */
  parse(jobs: readonly string[]): Promise<Map<string, Parsed>>;
}

export async function openReportService(name: string): Promise<ReportService> {
  const server = await startTestServer({ durable: true });
  console.log(`  ${describeMachine(`Postgres ${server.majorVersion}, fsync on`)}`);
  const url = await createDatabase(server.adminUrl, name, server.template);
  const database = openDatabase({ url, connectionsMax: 2 });
  await loadLabData(database, systemClock);
  const team = await createTeam(database, systemClock, { name: 'Bench', isSandbox: false });
  const { key } = await createApiKey(database, systemClock, { team, label: 'bench' });
  const user = await createUser(database, team, { clientUserId: randomUUID() }, { clock: systemClock, sandboxUsersMax: 1 });
  const config = apiConfig(url);
  const api = await composeApi(config, { checksDatabase: false });
  const { url: base } = await api.listen();
  const msOf = new Map<string, number>();
  const logger: Logger = {
    ...silentLogger,
    info: (fields: { readonly jobId?: string; readonly ms?: number }) => {
      if (fields.jobId !== undefined) msOf.set(fields.jobId, fields.ms ?? Number.NaN);
    },
  };
  const parser = await composeParser(
    {
      databaseUrl: url,
      encryptionKeys: config.encryptionKeys,
      databaseConnectionsMax: 4,
      concurrency: 1,
      deadlineMs: 60_000,
      scanDeadlineMs: 60_000,
      ocrThreads: 2,
      memoryMaxMib: 1024,
    },
    { logger, metrics: noMetrics },
  );

  const call = async (path: string, init?: RequestInit) => {
    const response = await fetch(`${base}/lab_report/v1/parser/job${path}`, { ...init, headers: { 'x-service-api-key': key } });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return (await response.json()) as { id: string; status: string; failure_reason: string | null; data: ReadData | null };
  };

  return {
    async upload(files) {
      const form = new FormData();
      form.set('user_id', user.userId);
      for (const file of files) form.append('file', new Blob([new Uint8Array(file)]), 'report');
      return (await call('', { method: 'POST', body: form })).id;
    },
    async parse(jobs) {
      const stop = new AbortController();
      const working = parser.workers?.map(({ run }) => run(stop.signal)) ?? [];
      const parsed = new Map<string, Parsed>();
      try {
        for (const job of jobs) {
          let response = await call(`/${job}`);
          while (response.status !== 'completed' && response.status !== 'failed') {
            await new Promise((resolve) => setTimeout(resolve, 200));
            response = await call(`/${job}`);
          }
          parsed.set(job, { data: response.data, failure: response.failure_reason, ms: msOf.get(job) ?? Number.NaN });
        }
      } finally {
        stop.abort();
        await Promise.all(working);
      }
      return parsed;
    },
    async [Symbol.asyncDispose]() {
      await parser.close();
      await api.close();
      await database.close();
      await dropDatabase(server.adminUrl, name);
      await server.stop();
    },
  };
}
