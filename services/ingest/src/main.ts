import { readProviderSettings } from '@pulsewire/connections';
import { checkEncryption } from '@pulsewire/database';
import { connectors } from '@pulsewire/providers';
import { checkAll, runProcess } from '@pulsewire/runtime';
import { compose } from './compose.ts';
import { ingestConfig } from './config.ts';

await runProcess({
  name: 'ingest',
  config: ingestConfig,
  check: (config) =>
    checkAll(
      () => checkEncryption(config),
      () => readProviderSettings(connectors, config),
    ),
  start: ({ config, logger, metrics, clock }) =>
    compose(config, { providers: readProviderSettings(connectors, config), logger, metrics, clock }),
});
