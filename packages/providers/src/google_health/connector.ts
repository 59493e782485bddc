import { googleHealthDevices, readGoogleHealthAccount } from './account.ts';
import { classifyGoogleHealth } from './data-points.ts';
import { googleHealthSlug, googleHealthSourceId, googleScopes, identityRegion, identityScope, reproductiveScope } from './google-health.ts';
import { cyclesPull } from './pulls/cycles.ts';
import { activityPull, sleepPull } from './pulls/days.ts';
import { alertsPull, ecgPull, mealsPull, notesPull, profilePull, waterPull } from './pulls/logs.ts';
import { seriesPulls } from './pulls/series.ts';
import { workoutsPull } from './pulls/workouts.ts';
import { googleHealthPush } from './push/push.ts';
import { connectorDefaults, needs } from '../kit/connector-defaults.ts';
import type { Connector } from '../kit/types/connector.ts';

const { activity, metrics, sleep, nutrition, ecg, rhythm, location } = googleScopes;

export const googleHealth: Connector = {
  ...connectorDefaults,
  slug: googleHealthSlug,
  name: 'Google Health',
  description: 'Fitbit and Pixel devices, and what Google collects from other apps',
  sourceId: googleHealthSourceId,
  authType: 'oauth',
  succeeds: {
    provider: 'fitbit',
    accountOf: ({ legacy_user_id: id }) => (typeof id === 'string' ? id : null),
  },
  // It holds what phones and apps store, which Google Health has only where its app collects it.
  succeedsPerResource: {
    provider: 'google_fit',
    accountOf: ({ google_subject: id }) => (typeof id === 'string' ? id : null),
    // Totals of a day contain the basal energy, even of a user who wears nothing.
    shownBy: { activity: 'steps' },
  },
  endpoints: {
    apiBaseUrl: 'https://health.googleapis.com',
    authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenUrl: 'https://oauth2.googleapis.com/token',
    revokeUrl: 'https://oauth2.googleapis.com/revoke',
    regionUrls: { keys: 'https://www.gstatic.com', [identityRegion]: 'https://openidconnect.googleapis.com' },
  },
  oauth: {
    clientAuth: 'body',
    pkce: 'supported',
    scopeSeparator: ' ',
    scopes: [identityScope, ...Object.values(googleScopes)],
    essentialScopes: [googleScopes.profile],
    optionalScopes: [reproductiveScope],
    // A refresh normally returns no refresh token; where it does, the new one replaces the stored one.
    refresh: 'keeps',
    // Without both, a user who has agreed before gets no refresh token.
    authorizeParams: { access_type: 'offline', prompt: 'consent' },
  },
  resources: {
    profile: needs(metrics),
    activity: { required: [activity], optional: [metrics] },
    sleep: { required: [sleep], optional: [metrics] },
    sleep_cycle: needs(sleep),
    workouts: { required: [activity], optional: [location, metrics] },
    workout_stream: needs(activity, location),
    workout_duration: needs(activity),
    workout_distance: needs(activity),
    workout_swimming_stroke: needs(activity),
    body: needs(metrics),
    weight: needs(metrics),
    fat: needs(metrics),
    glucose: needs(metrics),
    heartrate: needs(metrics),
    hrv: needs(metrics),
    blood_oxygen: needs(metrics),
    respiratory_rate: needs(metrics),
    body_temperature: needs(metrics),
    body_temperature_delta: needs(metrics),
    vo2_max: needs(activity),
    steps: needs(activity),
    distance: needs(activity),
    floors_climbed: needs(activity),
    calories_active: needs(activity),
    calories_basal: needs(activity),
    meal: needs(nutrition),
    carbohydrates: needs(nutrition),
    caffeine: needs(nutrition),
    water: needs(nutrition),
    note: { required: [metrics], optional: [activity] },
    electrocardiogram: needs(ecg),
    electrocardiogram_voltage: needs(ecg),
    heart_rate_alert: needs(rhythm),
    menstrual_cycle: needs(reproductiveScope),
  },
  backfillDays: 365,
  // In the order of value per call.
  pulls: [
    profilePull,
    activityPull,
    sleepPull,
    workoutsPull,
    ...seriesPulls,
    mealsPull,
    waterPull,
    ecgPull,
    alertsPull,
    notesPull,
    cyclesPull,
  ],
  push: googleHealthPush,
  quotas: [
    { scope: 'user', requests: 300, perMs: 60_000, window: 'sliding' },
    { scope: 'app', requests: 120_000, perMs: 60_000, window: 'sliding' },
  ],
  account: readGoogleHealthAccount,
  devices: { read: googleHealthDevices },
  classify: classifyGoogleHealth,
};
