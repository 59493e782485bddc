import { checkEncryption } from '@pulsewire/database';
import { checkPartners } from '@pulsewire/labs';
import { checkAll, runProcess } from '@pulsewire/runtime';
import { compose } from './compose.ts';
import { labsConfig } from './config.ts';

await runProcess({
  name: 'labs',
  config: labsConfig,
  check: (config) =>
    checkAll(
      () => checkEncryption(config),
      () => checkPartners(config),
    ),
  start: ({ config, logger, metrics, clock }) => compose(config, { logger, metrics, clock }),
});
