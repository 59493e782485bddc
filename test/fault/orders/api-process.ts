// The API as production runs it, with one partner: the phlebotomist of the campaign.
import { apiProcessFields, compose } from '@pulsewire/service-api';
import { runProcess } from '../../../packages/runtime/src/index.ts';
import { phlebotomist } from './phlebotomist-client.ts';

const [, , partnerUrl = ''] = process.argv;

await runProcess({
  name: 'api',
  config: apiProcessFields,
  async start({ config, logger, clock }) {
    const api = await compose(config, { migrate: false, partners: [phlebotomist(partnerUrl)], logger, clock });
    await api.listen();
    return { workers: [api.partnerJobs, api.worker], close: () => api.close() };
  },
});
