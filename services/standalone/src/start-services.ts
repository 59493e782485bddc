import { compose as composeLabs } from '@pulsewire/service-labs';
import { compose as composeReportParser } from '@pulsewire/service-report-parser';
import { compose as composeScheduler } from '@pulsewire/service-scheduler';
import type { KafkaConfig } from '@pulsewire/kafka/lazy';
import { compose as composeRelay } from '@pulsewire/service-relay';
import type { Started } from '@pulsewire/runtime';
import { localUrl } from './installation/choose-port.ts';
import { readServiceSettings, type GivenSettings } from './service-settings.ts';
import { openKafkaLink, partsOf, startSharedServices, watchKafka, type ServiceParts } from './shared-services.ts';

export interface ServicesOptions extends ServiceParts {
  readonly connectionsMax: number;
  /** Variables of the services whose values this process determines. */
  readonly given: GivenSettings;
  readonly kafka: KafkaConfig;
  /** Starts the worker processes with api, ingest and dispatcher; null: these services are in this process. */
  readonly startWorkers: (() => Promise<Started>) | null;
}

export interface Services extends Started {
  readonly url: string;
  close(): Promise<void>;
}

/** Builds every service, each as in a process of its own, and starts to listen. */
export async function startServices(options: ServicesOptions): Promise<Services> {
  const { connectionsMax, startWorkers } = options;
  const settings = readServiceSettings(options.given);
  // Each job holds two connections, and the other parts need theirs.
  const jobsMax = Math.max(1, Math.floor(connectionsMax / 6));
  const opened: { close?(): Promise<void> }[] = [];
  const closeAll = async () => {
    for (const service of opened.toReversed()) await service.close?.();
  };
  try {
    const scheduler = await composeScheduler(settings.scheduler, { ...partsOf(options, 'scheduler'), jobsMax });
    opened.push(scheduler);
    const labs = await composeLabs(settings.labs, partsOf(options, 'labs'));
    opened.push(labs);
    const reportParser = await composeReportParser(settings.reportParser, partsOf(options, 'report-parser'));
    opened.push(reportParser);
    const kafka = await openKafkaLink(options, { config: options.kafka, prepares: true });
    if (kafka) opened.push(kafka);
    const relay = kafka && (await composeRelay(settings.relay, { ...partsOf(options, 'relay'), kafka }));
    if (relay) opened.push(relay);
    const shared = startWorkers ? null : await startSharedServices({ ...options, kafka, workers: 1 }, settings, opened);
    const workers = startWorkers && (await startWorkers());
    if (workers) opened.push(workers);
    // In the order of the data flow; stopped in reverse, so that no new work arrives while work in progress ends.
    const started: readonly Started[] = [
      ...(kafka ? [watchKafka(kafka)] : []),
      ...(shared ? [shared.dispatcher] : []),
      ...(relay ? [relay] : []),
      ...(shared ? [shared.ingest] : []),
      labs,
      reportParser,
      scheduler,
      ...(shared ? [shared.api] : []),
      ...(workers ? [workers] : []),
    ];
    const { api } = settings;
    return {
      url: shared?.url ?? localUrl(api.host, api.port),
      workers: started.flatMap((service) => service.workers),
      checks: started.flatMap((service) => service.checks ?? []),
      ...(workers?.pool && { pool: workers.pool }),
      close: closeAll,
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}
