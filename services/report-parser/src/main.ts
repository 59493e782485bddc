import { checkEncryption } from '@pulsewire/database';
import { runProcess } from '@pulsewire/runtime';
import { compose } from './compose.ts';
import { reportParserConfig } from './config.ts';

await runProcess({
  name: 'report-parser',
  config: reportParserConfig,
  check: checkEncryption,
  start: ({ config, logger, metrics, clock }) => compose(config, { logger, metrics, clock }),
});
