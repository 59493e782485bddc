import { listenerDrainConfig, runProcess } from '@pulsewire/runtime';
import { compose } from './compose.ts';
import { portalConfig } from './config.ts';

await runProcess({
  name: 'portal',
  config: { ...portalConfig, ...listenerDrainConfig },
  start: ({ config, logger, metrics, clock }) => compose(config, { logger, metrics, clock }),
});
