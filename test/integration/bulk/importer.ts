import { noMetrics, silentLogger, systemClock } from '@pulsewire/kernel';
import { runImport } from '@pulsewire/connections';
import { createCipher, openDatabase, parseCipherKeys } from '@pulsewire/database';
import { openJobs, planImported } from '@pulsewire/ingest';
import { findConnector } from '@pulsewire/providers';

// An import worker in its own process, which the test kills.
const [url = '', encryptionKeys = '', operationId = ''] = process.argv.slice(2);

const database = openDatabase({ url, connectionsMax: 2 });
const jobs = await openJobs(database);
const planning = { jobs, clock: systemClock, connectorFor: findConnector, random: Math.random };
const context = {
  database,
  cipher: createCipher(parseCipherKeys(encryptionKeys)),
  clock: systemClock,
  logger: silentLogger,
  metrics: noMetrics,
  connectorFor: findConnector,
  gate: { refresh: () => Promise.reject(new Error('No recipe has expired')) },
  requestWork: jobs.workBulk.bind(jobs),
  onImported: (...[tx, connections]: Parameters<NonNullable<Parameters<typeof runImport>[0]['onImported']>>) =>
    planImported(planning, tx, connections),
};
await runImport(context, operationId, new AbortController().signal);
await jobs.close();
await database.close();
