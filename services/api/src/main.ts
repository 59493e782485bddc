import { readProviderSettings } from '@pulsewire/connections';
import { assertUsable, assertWritable, checkEncryption } from '@pulsewire/database';
import { checkPartners, loadLabData } from '@pulsewire/labs';
import { connectors } from '@pulsewire/providers';
import { checkAll, listenerDrainConfig, runProcess } from '@pulsewire/runtime';
import { compose, openApiDatabase } from './compose.ts';
import { apiProcessFields } from './config.ts';

await runProcess({
  name: 'api',
  config: { ...apiProcessFields, ...listenerDrainConfig },
  check: (config) =>
    checkAll(
      () => checkEncryption(config),
      () => readProviderSettings(connectors, config),
      () => checkPartners(config),
    ),
  async start({ config, logger, metrics, clock, health }) {
    const database = openApiDatabase(config);
    try {
      await assertUsable(database);
      await loadLabData(database, clock);
      const api = await compose(config, { database, logger, metrics, clock, health });
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
  },
});
