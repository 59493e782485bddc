import { checkKafka } from '@pulsewire/kafka/lazy';
import { checkAll, runProcess } from '@pulsewire/runtime';
import { assertBrokers, compose } from './compose.ts';
import { relayConfig } from './config.ts';

await runProcess({
  name: 'relay',
  config: relayConfig,
  check: (config) =>
    checkAll(
      () => assertBrokers(config),
      () => checkKafka(config),
    ),
  start: ({ config, logger, metrics, clock }) => compose(config, { logger, metrics, clock }),
});
