import { connectorDefaults, needs } from '../kit/connector-defaults.ts';
import { configurable } from '../kit/settings.ts';
import { classifyTandem } from './classify.ts';
import { createTandemPassword } from './password.ts';
import { createTandemPull } from './pulls.ts';
import { loginUrls, placeOf, placeUrls, tandemSettings, tandemSlug, tandemSourceId } from './tandem.ts';

export const tandemSource = configurable(tandemSettings, (values) => ({
  ...connectorDefaults,
  slug: tandemSlug,
  name: 'Tandem Source',
  description: 'Insulin pumps, and the glucose sensors that they read',
  sourceId: tandemSourceId,
  authType: 'password',
  offsetsFrom: 'zone',
  endpoints: { apiBaseUrl: placeUrls.us, regionUrls: { ...placeUrls, ...loginUrls }, authorizeUrl: null, tokenUrl: null, revokeUrl: null },
  password: createTandemPassword(values),
  resources: { glucose: needs(), insulin_injection: needs(), carbohydrates: needs() },
  backfillDays: 90,
  pulls: [createTandemPull(values)],
  pollEveryMs: 30 * 60_000,
  account: ({ providerUserId = null, previous = {} }) => Promise.resolve({ providerUserId, account: { ...previous } }),
  // The firewall rejects calls that do not appear to come from the vendor's own site.
  authorize(accessToken, { region }) {
    const origin = placeUrls[placeOf(typeof region === 'string' ? region : null)];
    return { headers: { authorization: `Bearer ${accessToken}`, origin, referer: `${origin}/` } };
  },
  classify: classifyTandem,
}));
