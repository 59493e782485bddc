import { classifyGoogleFit } from './classify.ts';
import { fitScopes, googleFitSlug, googleFitSourceId } from './google-fit.ts';
import { activityPull } from './pulls/activity.ts';
import { bodyPull, profilePull } from './pulls/body.ts';
import { cyclesPull } from './pulls/cycles.ts';
import { mealsPull } from './pulls/meals.ts';
import { seriesPulls } from './pulls/series.ts';
import { deletedSessionsPull, sessionsPull } from './pulls/sessions.ts';
import { sleepPull } from './pulls/sleep.ts';
import { connectorDefaults, needs } from '../kit/connector-defaults.ts';
import type { AccountContext, AccountFacts, Connector } from '../kit/types/connector.ts';
import { JsonNode } from '../kit/values/json-node.ts';

/** Google Fit has no profile and no time zone: the only fact is the id of the Google account, from OpenID Connect. */
async function readGoogleFitAccount({ http, providerUserId = null, previous = {} }: AccountContext): Promise<AccountFacts> {
  if (providerUserId !== null) return { providerUserId, account: { ...previous } };
  const { body } = await http.get('/oauth2/v3/userinfo');
  return { providerUserId: new JsonNode(body).at('sub').optional((node) => node.id()), account: { ...previous } };
}

const { activity, body, heartRate, location, sleep, nutrition, glucose, pressure, temperature, oxygen, reproductive } = fitScopes;

export const googleFit: Connector = {
  ...connectorDefaults,
  slug: googleFitSlug,
  name: 'Google Fit',
  description: 'Phones and apps that store their data in Google Fit',
  sourceId: googleFitSourceId,
  authType: 'oauth',
  // Closed to new applications since May 2024.
  end: { state: 'announced', when: 'during 2026' },
  offsetsFrom: 'zone',
  endpoints: {
    apiBaseUrl: 'https://www.googleapis.com',
    authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenUrl: 'https://oauth2.googleapis.com/token',
    revokeUrl: 'https://oauth2.googleapis.com/revoke',
  },
  oauth: {
    clientAuth: 'body',
    pkce: 'supported',
    scopeSeparator: ' ',
    scopes: ['openid', ...Object.values(fitScopes)],
    essentialScopes: ['openid'],
    refresh: 'keeps',
    // Without both, a user who has agreed before gets no refresh token.
    authorizeParams: { access_type: 'offline', prompt: 'consent' },
    idTokenClaim: 'sub',
  },
  resources: {
    activity: { required: [activity], optional: [location, heartRate] },
    sleep: needs(sleep),
    sleep_cycle: needs(sleep),
    workouts: { required: [activity], optional: [location, heartRate] },
    mindfulness_minutes: needs(activity),
    profile: needs(body),
    body: needs(body),
    weight: needs(body),
    fat: needs(body),
    blood_pressure: needs(pressure),
    glucose: needs(glucose),
    body_temperature: needs(temperature),
    blood_oxygen: needs(oxygen),
    water: needs(nutrition),
    meal: needs(nutrition),
    carbohydrates: needs(nutrition),
    menstrual_cycle: needs(reproductive),
    steps: needs(activity),
    distance: needs(location),
    calories_active: needs(activity),
    calories_basal: needs(activity),
    heartrate: needs(heartRate),
  },
  backfillDays: 90,
  // In the order of value per call.
  pulls: [activityPull, sleepPull, sessionsPull, bodyPull, profilePull, deletedSessionsPull, mealsPull, cyclesPull, ...seriesPulls],
  // A poll takes about 25 calls; with the quota of a new project, hourly polls serve about 140 users.
  pollEveryMs: 3_600_000,
  quotas: [
    { scope: 'user', requests: 300, perMs: 60_000, window: 'sliding' },
    { scope: 'app', requests: 86_400, perMs: 86_400_000, window: 'sliding' },
  ],
  account: readGoogleFitAccount,
  classify: classifyGoogleFit,
};
