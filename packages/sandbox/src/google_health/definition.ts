import { oauthCapabilities } from '../kit/definition/capabilities.ts';
import type { ApiResponse, ApiRoute, SimulatorDefinition, TokenResponse, UserCall } from '../kit/definition/definition.ts';
import { assertLinked, identity, irnProfile, pairedDevices, profile, settings, userinfo } from './account.ts';
import { googleHealthTroubles, refuseGoogleHealth } from './errors.ts';
import { keyset } from './keys.ts';
import { getPoint, list, reconcile } from './points.ts';
import { googleHealthPushes } from './pushes.ts';
import { dailyRollUp, rollUp } from './rollups.ts';
import { googleHealthScopes } from './scopes.ts';
import { exportTcx } from './tcx.ts';

/** A refresh returns no refresh token: the first one stays valid. */
const tokenResponse = ({ grantType, accessToken, refreshToken, expiresIn, scopes }: TokenResponse): object => ({
  access_token: accessToken,
  expires_in: expiresIn,
  ...(grantType === 'authorization_code' && { refresh_token: refreshToken }),
  scope: scopes.join(' '),
  token_type: 'Bearer',
});

function linked(respond: (call: UserCall) => ApiResponse): (call: UserCall) => ApiResponse {
  return (call) => {
    assertLinked(call);
    return respond(call);
  };
}

const user = { auth: 'user' } as const;
const points = '/v4/users/me/dataTypes/:type/dataPoints';
const get = { ...user, method: 'GET' } as const;
const post = { ...user, method: 'POST' } as const;

const routes: readonly ApiRoute[] = [
  { ...get, kind: 'identity', path: '/v4/users/me/identity', respond: identity },
  { ...get, kind: 'userinfo', path: '/v1/userinfo', respond: userinfo },
  { ...get, kind: 'profile', path: '/v4/users/me/profile', respond: profile },
  { ...get, kind: 'settings', path: '/v4/users/me/settings', respond: settings },
  { ...get, kind: 'devices', path: '/v4/users/me/pairedDevices', respond: pairedDevices },
  { ...get, kind: 'irn_profile', path: '/v4/users/me/irnProfile', respond: irnProfile },
  { ...get, kind: 'points.list', path: points, respond: linked(list) },
  { ...get, kind: 'points.reconcile', path: `${points}::reconcile`, respond: linked(reconcile) },
  { ...post, kind: 'points.roll_up', path: `${points}::rollUp`, respond: linked(rollUp) },
  { ...post, kind: 'points.daily_roll_up', path: `${points}::dailyRollUp`, respond: linked(dailyRollUp) },
  { ...get, kind: 'points.get', path: `${points}/:id`, respond: linked(getPoint) },
  {
    ...get,
    kind: 'exercise.tcx',
    path: '/v4/users/me/dataTypes/exercise/dataPoints/:id(^\\d+)::exportExerciseTcx',
    respond: linked(exportTcx),
  },
  { kind: 'keyset', method: 'GET', path: '/googlehealthapi/webhooks/webhooks_public_keyset.json', auth: 'open', respond: keyset },
];

/**
 * Google Health, from its interface definitions and recorded responses: one resource for every data type, notifications signed with Tink.
 */
export const googleHealthDefinition: SimulatorDefinition = {
  slug: 'google_health',
  capabilities: {
    ...oauthCapabilities,
    push: { registration: 'portal', isSigned: true, notifiesRevocation: false },
    removes: ['workout', 'sleep'],
    deletes: {
      // During a workout the tracker measures every ten seconds; those readings go with it.
      workout: ['workouts', 'heartrate', 'workout_duration', 'workout_distance', 'note'],
      sleep: ['sleep', 'sleep_cycle', 'hrv', 'blood_oxygen', 'respiratory_rate', 'body_temperature_delta', 'vo2_max'],
      morning: [
        'heartrate',
        'glucose',
        'meal',
        'caffeine',
        'carbohydrates',
        'water',
        'body_temperature',
        'steps',
        'distance',
        'floors_climbed',
        'calories_active',
        'calories_basal',
      ],
    },
    pages: true,
    // Its scope is requested only where an operator asks for it.
    absent: ['menstrual_cycle'],
  },
  regionPaths: { keys: '', identity: '' },
  oauth: {
    authorizePath: '/o/oauth2/v2/auth',
    tokenPath: '/token',
    revokePath: '/revoke',
    hasPlainRevocation: true,
    clientAuth: 'body',
    pkce: 'optional',
    scopeSeparator: ' ',
    scopes: googleHealthScopes,
    refresh: 'keeps',
    accessTokenSeconds: 3599,
    tokenResponse,
  },
  quota: { scope: 'user', requests: 300, perSeconds: 60 },
  routes,
  push: googleHealthPushes,
  refuse: refuseGoogleHealth,
  troubles: googleHealthTroubles,
};
