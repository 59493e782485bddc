import { readProviderSettings } from '@pulsewire/connections';
import { affordPools, checkEncryption } from '@pulsewire/database';
import { connectors } from '@pulsewire/providers';
import { checkAll, runProcess, startScaled, workersConfig } from '@pulsewire/runtime';
import { ingestConfig } from './config.ts';

await runProcess({
  name: 'ingest',
  config: { ...ingestConfig, ...workersConfig },
  check: (config) =>
    checkAll(
      () => checkEncryption(config),
      () => readProviderSettings(connectors, config),
    ),
  start(context) {
    const { config, logger, metrics, clock } = context;
    return startScaled(
      context,
      async (workers) => {
        const { databaseUrl: url, databaseConnectionsMax: connectionsMax } = config;
        const pools = await affordPools({ url, name: 'pulsewire-ingest', workers, connectionsMax, connectionsMin: 2, logger });
        return { count: pools.count, settings: { DATABASE_CONNECTIONS_MAX: String(pools.connectionsMax) } };
      },
      // The parent of worker processes does without this code.
      async () => {
        const { compose } = await import('./compose.ts');
        return compose(config, { providers: readProviderSettings(connectors, config), logger, metrics, clock });
      },
    );
  },
});
