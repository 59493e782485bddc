import { runProcess } from '@pulsewire/runtime';
import { compose } from './compose.ts';
import { dispatcherConfig } from './config.ts';

await runProcess({
  name: 'dispatcher',
  config: dispatcherConfig,
  start: ({ config, logger, metrics, clock }) => compose(config, { logger, metrics, clock, shutdownGraceMs: config.shutdownGraceMs }),
});
