// The process that calls labs and partners, with the companies of the campaign as `api-process.ts` has them.
import { compose, labsConfig } from '@pulsewire/service-labs';
import { runProcess } from '../../../packages/runtime/src/index.ts';
import { campaignPartners } from './scheduler-client.ts';

// Taken out, because a process accepts no arguments but its own.
const [url = '', secret = ''] = process.argv.splice(2);

await runProcess({
  name: 'labs',
  config: labsConfig,
  start: ({ config, logger, metrics, clock }) => compose(config, { partners: campaignPartners(url, secret), logger, metrics, clock }),
});
