import { readProviderSettings } from '@pulsewire/connections';
import { checkEncryption } from '@pulsewire/database';
import { checkKafka } from '@pulsewire/kafka/lazy';
import { connectors } from '@pulsewire/providers';
import { checkAll, runProcess } from '@pulsewire/runtime';
import { checkRetention, compose } from './compose.ts';
import { schedulerConfig } from './config.ts';
import { checkErasuresFile } from './erasures/check-erasures-file.ts';

await runProcess({
  name: 'scheduler',
  config: schedulerConfig,
  check: (config) =>
    checkAll(
      () => checkEncryption(config),
      () => readProviderSettings(connectors, config),
      () => checkKafka(config),
      () => checkRetention(config),
      () => checkErasuresFile(config.erasuresFile),
    ),
  start: ({ config, logger, metrics, clock }) =>
    compose(config, { providers: readProviderSettings(connectors, config), logger, metrics, clock }),
});
