import { hourMs } from '@pulsewire/kernel';
import { passwordDefaults, addressesWithoutOAuth, withoutScopes } from '../kit/connector-defaults.ts';
import type { Connector } from '../kit/types/connector.ts';
import { basicAuthOf, kardiaSlug, kardiaSourceId } from './kardia.ts';
import { kardiaPassword } from './password.ts';
import { kardiaPulls } from './pulls.ts';
import { kardiaPush } from './push.ts';

const placeUrls = { us: 'https://api.kardia.com', eu: 'https://eu-api.kardia.com' } as const;

export const kardia: Connector = {
  ...passwordDefaults,
  slug: kardiaSlug,
  name: 'Kardia',
  description: 'Electrocardiograms of KardiaMobile recorders, read from the account of a clinic',
  sourceId: kardiaSourceId,
  endpoints: addressesWithoutOAuth(placeUrls.us, { regionUrls: placeUrls }),
  password: kardiaPassword,
  resources: withoutScopes('electrocardiogram', 'electrocardiogram_voltage', 'heartrate', 'note'),
  backfillDays: 365,
  pulls: kardiaPulls,
  push: kardiaPush,
  // Every poll reads the whole list.
  pollEveryMs: 3 * hourMs,
  authorize: (apiKey) => ({ headers: { authorization: basicAuthOf(apiKey) } }),
};
