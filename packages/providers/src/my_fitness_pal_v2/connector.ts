import { connectorDefaults, needs } from '../kit/connector-defaults.ts';
import { configurable } from '../kit/settings.ts';
import { classifyMyFitnessPal } from './classify.ts';
import { myFitnessPalSettings, myFitnessPalSlug, myFitnessPalSourceId } from './my-fitness-pal.ts';
import { diaryPull, weightPull } from './pulls.ts';
import { createMyFitnessPalPush } from './push.ts';

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
    userIdPath: ['user_id'],
  },
  resources: {
    meal: needs('diary'),
    carbohydrates: needs('diary'),
    workouts: needs('diary'),
    steps: needs('diary'),
    activity: needs('diary'),
    body: needs('measurements'),
    weight: needs('measurements'),
  },
  backfillDays: 14,
  pulls: [diaryPull, weightPull],
  push: createMyFitnessPalPush(values),
  // Each poll costs two calls for each day that is read again.
  pollEveryMs: 4 * 3_600_000,
  account: ({ providerUserId = null, previous = {} }) =>
    Promise.resolve({ providerUserId, account: { ...previous, ...(providerUserId !== null && { user_id: providerUserId }) } }),
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
