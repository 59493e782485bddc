// The API as production composes it, with one partner: the phlebotomist of the campaign.
import { systemClock } from '@pulsewire/kernel';
import { compose } from '@pulsewire/service-api';
import { phlebotomist } from './phlebotomist-client.ts';

const [, , databaseUrl = '', encryptionKeys = '', port = '0', partnerUrl = ''] = process.argv;
const config = {
  host: '127.0.0.1',
  port: Number(port),
  databaseUrl,
  databaseConnectionsMax: 10,
  baseUrl: undefined,
  linkWebUrl: undefined,
  encryptionKeys,
  linkTokenSecret: 'a secret of more than thirty-two characters',
  linkTokenAloneAllowed: false,
  allowedNetworks: [],
  trustedProxies: [],
  logDays: 30,
  rateLimit: 0,
  sandboxUsersMax: 1_000_000,
  samplesPerPage: 10_000,
};
const api = await compose(config, { migrate: false, partners: [phlebotomist(partnerUrl)], clock: systemClock });
await api.listen();
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
await Promise.all([api.partnerJobs.run(stop.signal), api.worker.run(stop.signal)]);
await api.close();
