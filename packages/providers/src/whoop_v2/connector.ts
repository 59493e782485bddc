import { connectorDefaults, needs } from '../kit/connector-defaults.ts';
import { providerError } from '../kit/http/provider-error.ts';
import { judgeRevocation } from '../kit/oauth/revoke-token.ts';
import { createProfilePull } from '../kit/pull-presets.ts';
import type { RevocationCall, Connector } from '../kit/types/connector.ts';
import { readWhoopAccount } from './account.ts';
import { classifyWhoop, readWhoopQuotas, readWhoopTokenError } from './classify.ts';
import { mapMeasurement } from './mappers/map-measurement.ts';
import { cyclesPull } from './pulls/cycles.ts';
import { sleepPull } from './pulls/sleep.ts';
import { workoutsPull } from './pulls/workouts.ts';
import { whoopPush } from './push.ts';
import { createContext, whoopSlug, whoopSourceId } from './whoop.ts';

const measurementPull = createProfilePull({
  name: 'measurement',
  resources: ['profile', 'body', 'weight'],
  requiredScopes: ['read:body_measurement'],
  path: '/v2/user/measurement/body',
  map: (body, user) => mapMeasurement(body, createContext(user)),
});

/**
 * Ends the consent through the API; WHOOP then also stops its webhooks for the user. This revokes all tokens of the user. If the
 * user of the token is unknown, as after an aborted link, nothing is revoked, because another connection may depend on the same
 * consent.
 */
export async function revokeWhoop({ http, accessToken, providerUserId }: RevocationCall): Promise<boolean> {
  if (providerUserId === null) return false;
  const { status } = await http.send({
    method: 'DELETE',
    path: '/v2/user/access',
    headers: { authorization: `Bearer ${accessToken}` },
  });
  // A 401 means only that the access token, valid for an hour, has expired: the consent lasts for years.
  if (status === 401) throw providerError('provider_token_expired', { status });
  return judgeRevocation(status);
}

const ofNight = needs('read:sleep', 'read:recovery');

export const whoopV2: Connector = {
  ...connectorDefaults,
  slug: whoopSlug,
  name: 'WHOOP',
  description: 'Straps for recovery, strain and sleep',
  sourceId: whoopSourceId,
  authType: 'oauth',
  endpoints: {
    apiBaseUrl: 'https://api.prod.whoop.com/developer',
    authorizeUrl: 'https://api.prod.whoop.com/oauth/oauth2/auth',
    tokenUrl: 'https://api.prod.whoop.com/oauth/oauth2/token',
    revokeUrl: null,
  },
  oauth: {
    clientAuth: 'body',
    pkce: 'none',
    scopeSeparator: ' ',
    // Without `offline` there is no refresh token.
    scopes: ['offline', 'read:profile', 'read:body_measurement', 'read:cycles', 'read:recovery', 'read:sleep', 'read:workout'],
    essentialScopes: ['offline', 'read:profile'],
    refresh: 'rotates',
    refreshParams: { scope: 'offline' },
    readTokenError: readWhoopTokenError,
    revoke: revokeWhoop,
  },
  resources: {
    profile: needs('read:body_measurement'),
    body: needs('read:body_measurement'),
    weight: needs('read:body_measurement'),
    activity: { required: ['read:cycles'], optional: ['read:sleep'] },
    sleep: { required: ['read:sleep'], optional: ['read:recovery'] },
    respiratory_rate: needs('read:sleep'),
    hrv: ofNight,
    blood_oxygen: ofNight,
    body_temperature: ofNight,
    workouts: needs('read:workout'),
  },
  backfillDays: 180,
  // Most valuable per request first.
  pulls: [sleepPull, workoutsPull, cyclesPull, measurementPull],
  push: whoopPush,
  // Nights, with their cycles, and workouts are announced; all users share 10,000 calls a day, and a poll costs six.
  pollEveryMs: 8 * 3_600_000,
  quotas: [
    { scope: 'app', requests: 100, perMs: 60_000, window: 'sliding' },
    { scope: 'app', requests: 10_000, perMs: 86_400_000, window: 'aligned' },
  ],
  account: readWhoopAccount,
  readQuotas: readWhoopQuotas,
  classify: classifyWhoop,
};
