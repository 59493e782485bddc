import { dayMs } from '@pulsewire/kernel';
import { connectorDefaults, needs } from '../kit/connector-defaults.ts';
import { configurable } from '../kit/settings.ts';
import { readStravaAccount } from './account.ts';
import { classifyStrava, readStravaQuotas, readStravaTokenError } from './classify.ts';
import { activitiesPull } from './pulls/activities.ts';
import { athletePull } from './pulls/athlete.ts';
import { createStravaPush } from './push.ts';
import { revokeStrava } from './revoke.ts';
import { stravaSettings, stravaSlug, stravaSourceId } from './strava.ts';

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
