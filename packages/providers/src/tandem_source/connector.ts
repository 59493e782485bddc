import { classifyByStatus, passwordDefaults, addressesWithoutOAuth, withoutScopes } from '../kit/connector-defaults.ts';
import { configurable } from '../kit/settings.ts';
import type { JudgedResponse, ProviderVerdict } from '../kit/types/connector.ts';
import { createTandemPassword } from './password.ts';
import { createTandemPull } from './pulls.ts';
import { loginUrls, placeOf, placeUrls, tandemSettings, tandemSlug, tandemSourceId } from './tandem.ts';

/** How long clients wait after the firewall has blocked them. */
const blockedMs = 30 * 60_000;

/** A 403 with a page instead of JSON comes from the firewall. */
function classifyTandem(response: JudgedResponse): ProviderVerdict {
  if (response.status === 403 && response.body === undefined) return { code: 'provider_transient', retryAfterMs: blockedMs };
  return classifyByStatus(response);
}

export const tandemSource = configurable(tandemSettings, (values) => ({
  ...passwordDefaults,
  slug: tandemSlug,
  name: 'Tandem Source',
  description: 'Insulin pumps, and the glucose sensors that they read',
  sourceId: tandemSourceId,
  offsetsFrom: 'zone',
  endpoints: addressesWithoutOAuth(placeUrls.us, { regionUrls: { ...placeUrls, ...loginUrls } }),
  password: createTandemPassword(values),
  resources: withoutScopes('glucose', 'insulin_injection', 'carbohydrates'),
  backfillDays: 90,
  pulls: [createTandemPull(values)],
  pollEveryMs: 30 * 60_000,
  // The firewall rejects calls that do not appear to come from the vendor's own site.
  authorize(accessToken, { region }) {
    const origin = placeUrls[placeOf(typeof region === 'string' ? region : null)];
    return { headers: { authorization: `Bearer ${accessToken}`, origin, referer: `${origin}/` } };
  },
  classify: classifyTandem,
}));
