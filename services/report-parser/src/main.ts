import { runProcess } from '@pulsewire/runtime';
import { compose } from './compose.ts';
import { reportParserConfig } from './config.ts';

await runProcess({
  name: 'report-parser',
  config: reportParserConfig,
  start: ({ config, logger, metrics, clock }) => compose(config, { logger, metrics, clock }),
});
