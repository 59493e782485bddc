import { affordPools, checkEncryption } from '@pulsewire/database';
import { checkKafka } from '@pulsewire/kafka/lazy';
import { checkAll, runProcess, startScaled, workersConfig } from '@pulsewire/runtime';
import { dispatcherConfig } from './config.ts';
import { settingsOfWorkers } from './settings-of-workers.ts';

await runProcess({
  name: 'dispatcher',
  config: { ...dispatcherConfig, ...workersConfig },
  check: (config) =>
    checkAll(
      () => checkEncryption(config),
      () => checkKafka(config),
    ),
  start(context) {
    const { config, logger, metrics, clock } = context;
    return startScaled(
      context,
      async (workers) => {
        const { databaseUrl: url, databaseConnectionsMax: connectionsMax } = config;
        const pools = await affordPools({ url, name: 'pulsewire-dispatcher', workers, connectionsMax, connectionsMin: 3, logger });
        return { count: pools.count, settings: settingsOfWorkers(config, pools) };
      },
      // The parent of worker processes does without this code.
      async () => {
        const { compose } = await import('./compose.ts');
        return compose(config, { logger, metrics, clock, shutdownGraceMs: config.shutdownGraceMs });
      },
    );
  },
});
