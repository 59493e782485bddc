// The API as production runs it. Its scheduling partner is the company of the campaign; labs and test kits are those of its configuration.
import { apiProcessFields, compose } from '@pulsewire/service-api';
import { runProcess } from '../../../packages/runtime/src/index.ts';
import { campaignPartners } from './scheduler-client.ts';

// Taken out, because a process accepts no arguments but its own.
const [url = '', secret = ''] = process.argv.splice(2);

await runProcess({
  name: 'api',
  config: apiProcessFields,
  async start({ config, logger, clock }) {
    const api = await compose(config, { checksDatabase: false, partners: campaignPartners(url, secret), logger, clock });
    await api.listen();
    return { workers: [api.worker], close: () => api.close() };
  },
});
