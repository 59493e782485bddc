import { readProviderSettings } from '@pulsewire/connections';
import { checkEncryption } from '@pulsewire/database';
import { connectors } from '@pulsewire/providers';
import { checkAll, listenerDrainConfig, runProcess } from '@pulsewire/runtime';
import { compose } from './compose.ts';
import { consoleProcessFields } from './config.ts';

await runProcess({
  name: 'console',
  config: { ...consoleProcessFields, ...listenerDrainConfig },
  check: (config) =>
    checkAll(
      () => checkEncryption(config),
      () => readProviderSettings(connectors, config),
    ),
  start: ({ config, logger, metrics, clock }) =>
    compose(config, { providers: readProviderSettings(connectors, config), logger, metrics, clock }),
});
