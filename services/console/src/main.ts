import { readProviderSettings } from '@pulsewire/connections';
import { connectors } from '@pulsewire/providers';
import { listenerDrainConfig, runProcess } from '@pulsewire/runtime';
import { compose } from './compose.ts';
import { consoleProcessFields } from './config.ts';

await runProcess({
  name: 'console',
  config: { ...consoleProcessFields, ...listenerDrainConfig },
  start: ({ config, logger, metrics, clock }) =>
    compose(config, { providers: readProviderSettings(connectors, config), logger, metrics, clock }),
});
