import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { assertSimulatorsRun, checkTeamApiKey, markForSimulators, readProviderSettings } from '@pulsewire/connections';
import { checkEncryption, checkVault } from '@pulsewire/database';
import { checkKafka } from '@pulsewire/kafka/lazy';
import { isAppError, isLoopback } from '@pulsewire/kernel';
import { checkPartners, labPartnerConfig } from '@pulsewire/labs';
import { connectors } from '@pulsewire/providers';
import { checkAll, loadPart, runProcess, startedPool, workersWanted, type ConfigOf, type WorkersWanted } from '@pulsewire/runtime';
import { checkRetention, schedulerConfig } from '@pulsewire/service-scheduler';
import { standaloneConfig } from './config.ts';
import { createNarrator } from './demo/client/narrator.ts';
import { adoptDemoConnections } from './demo/simulation/adopt-connections.ts';
import { startDemoSimulation } from './demo/simulation/demo-simulation.ts';
import { playPractices } from './demo/simulation/play-practice.ts';
import { demoConnectors, demoProviderValues } from './demo/simulation/provider-values.ts';
import { assertDemoConfigurable, simulatedSlugs } from './demo/simulation/simulated-slugs.ts';
import { checkInstallation } from './installation/check-installation.ts';
import { choosePort, localUrl, exposedHostWarning, loopbackNetworks } from './installation/choose-port.ts';
import { openInstallation } from './installation/open-installation.ts';
import { passedFields, providerFields, startGroups } from './service-fields.ts';
import { givenSettings } from './service-settings.ts';
import { startServices } from './start-services.ts';
import { createStartup } from './startup.ts';
import { workerData } from './worker-data.ts';

const runsDemo = ({ demo, databaseUrl }: ConfigOf<typeof standaloneConfig>) =>
  (demo ?? (databaseUrl === undefined ? 'on' : 'off')) === 'on';

/** With the embedded Postgres, one core is left to it. */
function workersOfInstallation({ workers, databaseUrl }: ConfigOf<typeof standaloneConfig>): WorkersWanted {
  const wanted = workersWanted(workers);
  return wanted.isAuto && databaseUrl === undefined ? { ...wanted, count: Math.max(1, wanted.count - 1) } : wanted;
}

const workerSource = fileURLToPath(new URL('worker.ts', import.meta.url));
// A release has no sources: this module believes to be at its path in the repository, below the folder with the programs.
const workerProgram = existsSync(workerSource) ? workerSource : fileURLToPath(new URL('../../../standalone-worker.js', import.meta.url));

const narrator = createNarrator(process.stdout, () => performance.now());

await runProcess({
  name: 'pulsewire',
  config: { ...standaloneConfig, ...passedFields, ...providerFields },
  configGroups: startGroups,
  logTo: 'stderr',
  check(config) {
    const { vaultDays, receiptsDays } = schedulerConfig;
    checkAll(
      // Without either, the keys are those of the data folder.
      () => (config.encryptionKeys ?? config.vaultUrl) !== undefined && checkEncryption(config),
      () => checkVault(config),
      () => checkInstallation(config),
      () => readProviderSettings(connectors, config),
      () => checkPartners(loadPart(labPartnerConfig, {})),
      () => checkTeamApiKey(config.teamApiKey),
      () => checkKafka(config),
      () => checkRetention(loadPart({ vaultDays, receiptsDays }, {})),
      () => runsDemo(config) && assertDemoConfigurable(config),
    );
  },
  async start({ config, logger, metrics, clock, health, healthPort, openWorkers }) {
    const closers: (() => Promise<void>)[] = [];
    const close = async () => {
      for (const closeOne of closers.splice(0).toReversed()) await closeOne();
    };
    try {
      const { host } = config;
      const isDemo = runsDemo(config);
      // The demo's receiver runs on this machine; without the demo no webhook needs to reach loopback.
      const allowedNetworks = config.allowedNetworks ?? (isDemo ? loopbackNetworks : []);
      const port = await choosePort(host, config.port);
      const baseUrl = (config.baseUrl ?? localUrl(host, port)).replace(/\/+$/, '');
      if (!isLoopback(host)) narrator.say(exposedHostWarning(host));
      const installation = await openInstallation({
        ...config,
        connectionsMax: config.databaseConnectionsMax,
        workers: workersOfInstallation(config),
        kms: config,
        logger,
        clock,
        onNotice: (text) => narrator.say(text),
      });
      closers.push(installation.close);
      const simulated = isDemo ? simulatedSlugs(config) : [];
      await adoptDemoConnections(installation.database, installation.dataDir);
      await markForSimulators(installation.database, simulated);
      await assertSimulatorsRun(installation.database, simulated);
      const simulation = isDemo
        ? await startDemoSimulation({
            dataDir: installation.dataDir,
            redirectUri: (slug) => `${baseUrl}/v2/link/connect/${slug}`,
            values: config,
            logger,
          })
        : null;
      if (simulation) closers.push(simulation.close);
      const providers = readProviderSettings(simulation ? demoConnectors(simulation) : connectors, {
        ...config,
        ...(simulation && demoProviderValues(simulation)),
      });
      const given = givenSettings({ config, installation, port, baseUrl, allowedNetworks });
      const startWorkers = async () => {
        const plan = { count: installation.workers, program: workerProgram, settings: {}, data: workerData(given, simulation) };
        return startedPool(await openWorkers(plan));
      };
      const services = await startServices({
        ...installation,
        given,
        startWorkers: installation.workers > 1 ? startWorkers : null,
        shutdownGraceMs: config.shutdownGraceMs,
        kafka: config,
        providers,
        logger,
        metrics,
        clock,
        health,
      });
      closers.push(services.close);
      if (simulation) closers.push(await playPractices({ installation, simulated: simulation.others, providers, clock, logger }));
      const healthUrl = localUrl(config.healthHost, healthPort);
      const startup = createStartup({
        installation,
        simulation,
        historyDays: config.demoHistoryDays,
        url: services.url,
        healthUrl,
        narrator,
        clock,
      });
      return {
        workers: [...(installation.postgresWorker ? [installation.postgresWorker] : []), ...services.workers, startup],
        checks: services.checks ?? [],
        ...(services.pool && { pool: services.pool }),
        close,
      };
    } catch (error) {
      await close();
      if (isAppError(error)) narrator.say(error.message);
      throw error;
    }
  },
});
