// The API as production runs it. Its scheduling partner is the company of the campaign; labs and test kits are those of its configuration.
import { allPartners } from '@pulsewire/labs';
import { apiProcessFields, compose } from '@pulsewire/service-api';
import { runProcess } from '../../../packages/runtime/src/index.ts';
import { scheduler } from './scheduler-client.ts';

// Taken out, because a process accepts no arguments but its own.
const [url = '', secret = ''] = process.argv.splice(2);
const visits = { url, secret, kind: 'phlebotomy', slug: 'getlabs' } as const;
const centers = { url, secret, kind: 'service_center', slug: 'quest', isReal: true } as const;
const companies = [scheduler({ ...visits, isReal: false }), scheduler({ ...visits, isReal: true }), scheduler(centers)];

await runProcess({
  name: 'api',
  config: apiProcessFields,
  async start({ config, logger, clock }) {
    const api = await compose(config, { checksDatabase: false, partners: [...companies, ...allPartners], logger, clock });
    await api.listen();
    return { workers: [api.partnerJobs, api.worker], close: () => api.close() };
  },
});
