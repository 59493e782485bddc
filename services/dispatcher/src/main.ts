import { checkEncryption } from '@pulsewire/database';
import { checkKafka } from '@pulsewire/kafka/lazy';
import { checkAll, runProcess } from '@pulsewire/runtime';
import { compose } from './compose.ts';
import { dispatcherConfig } from './config.ts';

await runProcess({
  name: 'dispatcher',
  config: dispatcherConfig,
  check: (config) =>
    checkAll(
      () => checkEncryption(config),
      () => checkKafka(config),
    ),
  start: ({ config, logger, metrics, clock }) => compose(config, { logger, metrics, clock, shutdownGraceMs: config.shutdownGraceMs }),
});
