import { providerConfigFields, readProviderSettings } from '@pulsewire/connections';
import { isAppError } from '@pulsewire/kernel';
import { connectors } from '@pulsewire/providers';
import { runProcess } from '@pulsewire/runtime';
import { standaloneConfig } from './config.ts';
import { startDemoWorld } from './demo/demo-world.ts';
import { createNarrator } from './demo/narrator.ts';
import { playPractices } from './demo/play-practice.ts';
import { demoConnectors, demoProviderValues } from './demo/provider-values.ts';
import { createFrontDoor } from './front-door.ts';
import { choosePort, localUrl } from './installation/choose-port.ts';
import { openInstallation } from './installation/open-installation.ts';
import { startServices } from './start-services.ts';

const narrator = createNarrator(process.stdout, () => performance.now());

await runProcess({
  name: 'pulsewire',
  config: { ...standaloneConfig, ...providerConfigFields(connectors) },
  health: 'mounted',
  logTo: 'stderr',
  async start({ config, logger, metrics, clock, health }) {
    const closers: (() => Promise<void>)[] = [];
    const close = async () => {
      for (const closeOne of closers.splice(0).toReversed()) await closeOne();
    };
    try {
      const { host, allowedNetworks } = config;
      const port = await choosePort(host, config.port);
      const url = localUrl(host, port);
      const installation = await openInstallation({ ...config, logger, clock, onNotice: (text) => narrator.say(text) });
      closers.push(installation.close);
      const world =
        config.demo === 'on'
          ? await startDemoWorld({
              dataDir: installation.dataDir,
              redirectUri: (slug) => `${url}/v2/link/connect/${slug}`,
              values: config,
              logger,
            })
          : null;
      if (world) closers.push(world.close);
      const providers = readProviderSettings(world ? demoConnectors(world) : connectors, {
        ...config,
        ...(world && demoProviderValues(world)),
      });
      const services = await startServices({
        ...installation,
        kafka: config,
        host,
        port,
        allowedNetworks,
        providers,
        logger,
        metrics,
        clock,
        health,
      });
      closers.push(services.close);
      if (world) closers.push(await playPractices({ installation, simulated: world.others, providers, clock, logger }));
      const frontDoor = createFrontDoor({ installation, world, url: services.url, narrator, clock });
      return {
        workers: [...(installation.postgresWorker ? [installation.postgresWorker] : []), ...services.workers, frontDoor],
        checks: services.checks,
        close,
      };
    } catch (error) {
      await close();
      if (isAppError(error)) narrator.say(error.message);
      throw error;
    }
  },
});
