import { runProcess } from '@pulsewire/runtime';
import { compose } from './compose.ts';
import { relayConfig } from './config.ts';

await runProcess({
  name: 'relay',
  config: relayConfig,
  start: ({ config, logger, metrics, clock }) => compose(config, { logger, metrics, clock }),
});
