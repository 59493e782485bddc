import { hourMs } from '@pulsewire/kernel';
import { classifyByStatus, connectorDefaults, needs } from '../kit/connector-defaults.ts';
import type { Connector } from '../kit/types/connector.ts';
import { basicAuthOf, kardiaSlug, kardiaSourceId } from './kardia.ts';
import { kardiaPassword } from './password.ts';
import { kardiaPulls } from './pulls.ts';
import { kardiaPush } from './push.ts';

const placeUrls = { us: 'https://api.kardia.com', eu: 'https://eu-api.kardia.com' } as const;

export const kardia: Connector = {
  ...connectorDefaults,
  slug: kardiaSlug,
  name: 'Kardia',
  description: 'Electrocardiograms of KardiaMobile recorders, read from the account of a clinic',
  sourceId: kardiaSourceId,
  authType: 'password',
  endpoints: { apiBaseUrl: placeUrls.us, regionUrls: placeUrls, authorizeUrl: null, tokenUrl: null, revokeUrl: null },
  password: kardiaPassword,
  resources: { electrocardiogram: needs(), electrocardiogram_voltage: needs(), heartrate: needs(), note: needs() },
  backfillDays: 365,
  pulls: kardiaPulls,
  push: kardiaPush,
  // Every poll reads the whole list.
  pollEveryMs: 3 * hourMs,
  account: ({ providerUserId = null, previous = {} }) => Promise.resolve({ providerUserId, account: { ...previous } }),
  authorize: (apiKey) => ({ headers: { authorization: basicAuthOf(apiKey) } }),
  classify: classifyByStatus,
};
