import { readProviderSettings } from '@pulsewire/connections';
import { affordPools, assertUsable, assertWritable, checkEncryption } from '@pulsewire/database';
import type { Clock, Logger } from '@pulsewire/kernel';
import { checkPartners } from '@pulsewire/labs';
import { connectors } from '@pulsewire/providers';
import {
  checkAll,
  listenerDrainConfig,
  runProcess,
  startScaled,
  workersConfig,
  type HealthSource,
  type MetricsRegistry,
  type Started,
} from '@pulsewire/runtime';
import { apiProcessFields, type ApiConfig } from './config.ts';

interface ApiParts {
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  readonly clock: Clock;
  readonly health: HealthSource;
  readonly worker: { readonly count: number } | null;
}

async function startApi(config: ApiConfig, parts: ApiParts): Promise<Started> {
  const { logger, metrics, clock, health, worker } = parts;
  // The parent of worker processes does without this code.
  const [{ compose, openApiDatabase }, { loadLabData }] = await Promise.all([import('./compose.ts'), import('@pulsewire/labs')]);
  const database = openApiDatabase(config);
  try {
    await assertUsable(database);
    await loadLabData(database, clock);
    const api = await compose(config, { database, logger, metrics, clock, health, workers: worker?.count ?? 1 });
    await api.listen();
    return {
      workers: [api.worker],
      checks: [{ name: 'database', check: () => assertWritable(database) }],
      async close() {
        await api.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

await runProcess({
  name: 'api',
  config: { ...apiProcessFields, ...listenerDrainConfig, ...workersConfig },
  check: (config) =>
    checkAll(
      () => checkEncryption(config),
      () => readProviderSettings(connectors, config),
      () => checkPartners(config),
    ),
  start(context) {
    const { config, logger } = context;
    return startScaled(
      context,
      async (workers) => {
        const { databaseUrl: url, databaseConnectionsMax: connectionsMax } = config;
        const pools = await affordPools({ url, name: 'pulsewire-api', workers, connectionsMax, connectionsMin: 2, logger });
        return { count: pools.count, settings: { DATABASE_CONNECTIONS_MAX: String(pools.connectionsMax) } };
      },
      () => startApi(config, context),
    );
  },
});
