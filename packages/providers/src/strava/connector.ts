import { dayMs } from '@pulsewire/kernel';
import { connectorDefaults, needs } from '../kit/connector-defaults.ts';
import { providerError } from '../kit/http/provider-error.ts';
import { judgeRevocation } from '../kit/oauth/revoke-token.ts';
import { noteWeight } from '../kit/records/typed-weight.ts';
import { configurable } from '../kit/settings.ts';
import type { AccountContext, AccountFacts, ProviderHttp, RevocationCall } from '../kit/types/connector.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import { classifyStrava, readStravaQuotas, readStravaTokenError } from './classify.ts';
import { activitiesPull } from './pulls/activities.ts';
import { athletePull } from './pulls/athlete.ts';
import { createStravaPush } from './push.ts';
import { zoneNameOf, stravaSettings, stravaSlug, stravaSourceId } from './strava.ts';

/** The zone of the newest activity: the athlete object has none, and without it the user's day would be the UTC day. */
async function readZone(http: ProviderHttp): Promise<Readonly<Record<string, unknown>>> {
  const { body } = await http.get('/athlete/activities', { page: '1', per_page: '1' });
  const zone = Array.isArray(body) ? zoneNameOf(new JsonNode(body[0]).at('timezone').value) : null;
  return zone === null ? {} : { time_zone: zone };
}

/** The user's zone, and the weight with its day; each only if its scope was granted. The user's id is in the token response. */
export async function readStravaAccount(context: AccountContext): Promise<AccountFacts> {
  const { http, grantedScopes, providerUserId = null, previous = {}, now } = context;
  const athlete = grantedScopes.includes('read') ? new JsonNode((await http.get('/athlete')).body) : new JsonNode(undefined);
  const zone = grantedScopes.includes('activity:read_all') ? await readZone(http) : {};
  return {
    providerUserId: providerUserId ?? athlete.at('id').optional((node) => node.id()),
    account: { ...previous, ...zone, ...noteWeight(athlete.at('weight').value, previous, now) },
  };
}

/** `POST /oauth/deauthorize` with a valid access token: ends all of the athlete's tokens for this application. */
export async function revokeStrava({ http, accessToken, revokeUrl }: RevocationCall): Promise<boolean> {
  if (revokeUrl === null) return false;
  const { status } = await http.send({ method: 'POST', path: revokeUrl, form: { access_token: accessToken } });
  if (status === 401) throw providerError('provider_token_expired', { status });
  return judgeRevocation(status);
}

const quarterMs = 15 * 60_000;

export const strava = configurable(stravaSettings, (values) => ({
  ...connectorDefaults,
  slug: stravaSlug,
  name: 'Strava',
  description: 'Workouts and their tracks, from many devices',
  sourceId: stravaSourceId,
  authType: 'oauth',
  endpoints: {
    apiBaseUrl: 'https://www.strava.com/api/v3',
    authorizeUrl: 'https://www.strava.com/oauth/authorize',
    tokenUrl: 'https://www.strava.com/oauth/token',
    revokeUrl: 'https://www.strava.com/oauth/deauthorize',
  },
  oauth: {
    clientAuth: 'body',
    pkce: 'none',
    scopeSeparator: ',',
    scopes: ['read', 'activity:read_all', 'profile:read_all'],
    essentialScopes: ['read'],
    refresh: 'rotates',
    // Athletes may untick any scope.
    grantedScopesIn: 'callback',
    // Only in the response to the code; a refresh does not repeat it.
    userIdPath: ['athlete', 'id'],
    authorizeParams: { approval_prompt: 'force' },
    readTokenError: readStravaTokenError,
    revoke: revokeStrava,
  },
  resources: {
    profile: needs('read'),
    body: needs('read', 'profile:read_all'),
    weight: needs('read', 'profile:read_all'),
    workouts: needs('activity:read_all'),
    workout_stream: needs('activity:read_all'),
  },
  backfillDays: 14,
  pulls: [activitiesPull, athletePull],
  push: createStravaPush(values),
  // Each recent activity costs two of the 1,000 daily calls that all users share; pushes announce new ones at once.
  pollEveryMs: dayMs,
  quotas: [
    { scope: 'app', requests: 100, perMs: quarterMs, window: 'aligned' },
    { scope: 'app', requests: 1000, perMs: dayMs, window: 'aligned' },
  ],
  historyLimit: { kind: 'rate', pulls: 1, perMs: 15 * 60_000 },
  account: readStravaAccount,
  readQuotas: readStravaQuotas,
  classify: classifyStrava,
}));
