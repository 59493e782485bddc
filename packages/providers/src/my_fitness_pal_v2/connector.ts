import { connectorDefaults, needs } from '../kit/connector-defaults.ts';
import { configurable } from '../kit/settings.ts';
import { readMyFitnessPalAccount } from './account.ts';
import { classifyMyFitnessPal } from './classify.ts';
import { myFitnessPalSettings, myFitnessPalSlug, myFitnessPalSourceId } from './my-fitness-pal.ts';
import { diaryPull, profilePull, weightPull } from './pulls.ts';
import { createMyFitnessPalPush } from './push.ts';
import { revokeMyFitnessPal } from './revoke.ts';

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
  classify: classifyMyFitnessPal,
}));
