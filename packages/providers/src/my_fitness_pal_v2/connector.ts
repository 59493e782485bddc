import { classifyStatuses, connectorDefaults, needs } from '../kit/connector-defaults.ts';
import { judgeRevocation } from '../kit/oauth/revoke-token.ts';
import { configurable } from '../kit/settings.ts';
import type { RevocationCall } from '../kit/types/connector.ts';
import { readMyFitnessPalAccount } from './account.ts';
import { myFitnessPalSettings, myFitnessPalSlug, myFitnessPalSourceId } from './my-fitness-pal.ts';
import { diaryPull, profilePull, weightPull } from './pulls.ts';
import { createMyFitnessPalPush } from './push.ts';

/** Ends all tokens of the consent. Here the application is authenticated in the Authorization header, unlike at the token endpoint. */
async function revokeMyFitnessPal({ http, application, accessToken, refreshToken, revokeUrl }: RevocationCall): Promise<boolean> {
  if (revokeUrl === null) return false;
  const token = refreshToken ?? accessToken;
  const hint = refreshToken === null ? 'access_token' : 'refresh_token';
  const basicAuth = { username: application.clientId, password: application.clientSecret };
  const { status } = await http.send({ method: 'POST', path: revokeUrl, basicAuth, form: { token, token_type_hint: hint } });
  return judgeRevocation(status);
}

const base = 'https://api.myfitnesspal.com';

export const myFitnessPalV2 = configurable(myFitnessPalSettings, (values) => ({
  ...connectorDefaults,
  slug: myFitnessPalSlug,
  name: 'MyFitnessPal',
  description: 'Food diary, exercise and weight, through the partner interface',
  sourceId: myFitnessPalSourceId,
  authType: 'oauth',
  offsetsFrom: 'zone',
  endpoints: {
    apiBaseUrl: base,
    authorizeUrl: `${base}/v2/oauth2/auth`,
    tokenUrl: `${base}/v2/oauth2/token`,
    revokeUrl: `${base}/v2/oauth2/revoke`,
  },
  oauth: {
    clientAuth: 'body',
    pkce: 'none',
    scopeSeparator: ' ',
    scopes: ['diary', 'measurements', 'subscriptions'],
    // Not documented: a new refresh token replaces the stored one where there is one.
    refresh: 'keeps',
    refreshUserIdField: 'user_id',
    userIdPath: ['user_id'],
    revoke: revokeMyFitnessPal,
  },
  resources: {
    meal: needs('diary'),
    carbohydrates: needs('diary'),
    workouts: needs('diary'),
    steps: needs('diary'),
    activity: needs('diary'),
    body: needs('measurements'),
    weight: needs('measurements'),
    profile: needs(),
  },
  unavailableResources: { water: "Only MyFitnessPal's own app may read it." },
  backfillDays: 14,
  pulls: [diaryPull, weightPull, profilePull],
  push: createMyFitnessPalPush(values),
  // Each poll costs two calls for each day that is read again.
  pollEveryMs: 4 * 3_600_000,
  account: readMyFitnessPalAccount,
  // Every call names the application and the user whose data it reads.
  authorize: (accessToken, account, application) => ({
    headers: {
      authorization: `Bearer ${accessToken}`,
      'mfp-client-id': application?.clientId ?? '',
      ...(typeof account['user_id'] === 'string' && { 'mfp-user-id': account['user_id'] }),
    },
  }),
  authorizesWithApplication: true,
  // A missing permission is the only 403 in the reference.
  classify: classifyStatuses({ 403: 'provider_scope_missing' }),
}));
