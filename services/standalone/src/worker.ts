// A worker process of `npm start`: api, ingest and dispatcher, which share their work with those of the other worker processes.
import { readProviderSettings } from '@pulsewire/connections';
import { openDatabase } from '@pulsewire/database';
import { kafkaConfig } from '@pulsewire/kafka/lazy';
import { runProcess } from '@pulsewire/runtime';
import { settingsOfWorkers } from '@pulsewire/service-dispatcher';
import { providerFields } from './service-fields.ts';
import { readServiceSettings } from './service-settings.ts';
import { openKafkaLink, startSharedServices, watchKafka } from './shared-services.ts';
import { connectorsOf, type WorkerData } from './worker-data.ts';

await runProcess({
  name: 'pulsewire',
  config: { ...kafkaConfig, ...providerFields },
  logTo: 'stderr',
  async start({ config, logger, metrics, clock, health, worker }) {
    if (worker === null) throw new Error('This program runs under npm start only');
    const { given, simulated, values } = worker.data as WorkerData;
    const opened: { close?(): Promise<void> }[] = [];
    const close = async () => {
      for (const one of opened.splice(0).toReversed()) await one.close?.();
    };
    try {
      const { count } = worker;
      const { api: apiSettings, dispatcher: bounds } = readServiceSettings(given);
      const { databaseUrl: url, databaseConnectionsMax: connectionsMax } = apiSettings;
      const settings = readServiceSettings({ ...given, ...settingsOfWorkers(bounds, { count, connectionsMax }) });
      const database = openDatabase({ url, name: 'pulsewire', connectionsMax });
      opened.push(database);
      const providers = readProviderSettings(connectorsOf({ simulated }), { ...config, ...values });
      const parts = { database, providers, logger, metrics, clock, health, shutdownGraceMs: config.shutdownGraceMs };
      const kafka = await openKafkaLink(parts, { config, prepares: false });
      if (kafka) opened.push(kafka);
      const { dispatcher, ingest, api } = await startSharedServices({ ...parts, kafka, workers: count }, settings, opened);
      const started = [...(kafka ? [watchKafka(kafka)] : []), dispatcher, ingest, api];
      return {
        workers: started.flatMap((service) => service.workers),
        checks: started.flatMap((service) => service.checks ?? []),
        close,
      };
    } catch (error) {
      await close();
      throw error;
    }
  },
});
