import { connectorDefaults, needs } from '../kit/connector-defaults.ts';
import { withEndpoints } from '../kit/http/endpoints.ts';
import type { Connector, ProviderEndpoints } from '../kit/types/connector.ts';
import { fitbitDevices, readFitbitAccount } from './account.ts';
import { classifyFitbit, readFitbitQuotas, readFitbitTokenError } from './classify.ts';
import { fitbitSlug, fitbitSourceId } from './context/map-context.ts';
import { activityPull } from './pulls/activity.ts';
import { caloriesBasalPull, caloriesPull, distancePull, floorsPull, stepsPull } from './pulls/movement.ts';
import { coreTemperaturePull, fatPull, foodsPull, profilePull, weightPull } from './pulls/body.ts';
import { ecgPull, heartratePull, rhythmAlertsPull } from './pulls/heart.ts';
import { bloodOxygenPull, hrvPull, respiratoryRatePull, skinTemperaturePull, sleepPull, vo2MaxPull } from './pulls/nights.ts';
import { workoutsPull, workoutStreamsPull } from './pulls/workouts.ts';
import { fitbitPush } from './push.ts';

export const fitbit: Connector = {
  ...connectorDefaults,
  slug: fitbitSlug,
  name: 'Fitbit',
  description: 'Activity trackers, watches and scales',
  sourceId: fitbitSourceId,
  authType: 'oauth',
  end: { state: 'ended', when: 'on 2 November 2026' },
  // Another provider with its own consent.
  successor: 'google_health',
  offsetsFrom: 'zone',
  endpoints: {
    apiBaseUrl: 'https://api.fitbit.com',
    authorizeUrl: 'https://www.fitbit.com/oauth2/authorize',
    tokenUrl: 'https://api.fitbit.com/oauth2/token',
    revokeUrl: 'https://api.fitbit.com/oauth2/revoke',
  },
  oauth: {
    clientAuth: 'basic',
    pkce: 'supported',
    scopeSeparator: ' ',
    scopes: [
      'activity',
      'cardio_fitness',
      'electrocardiogram',
      'heartrate',
      'irregular_rhythm_notifications',
      'location',
      'nutrition',
      'oxygen_saturation',
      'profile',
      'respiratory_rate',
      'settings',
      'sleep',
      'temperature',
      'weight',
    ],
    refresh: 'rotates',
    // Shows the consent page even to users who have already agreed.
    authorizeParams: { prompt: 'consent' },
    userIdPath: ['user_id'],
    readTokenError: readFitbitTokenError,
  },
  resources: {
    profile: needs('profile'),
    activity: { required: ['activity'], optional: ['heartrate'] },
    sleep: needs('sleep'),
    sleep_cycle: needs('sleep'),
    workouts: { required: ['activity'], optional: ['heartrate'] },
    body: needs('weight'),
    weight: needs('weight'),
    fat: needs('weight'),
    meal: needs('nutrition'),
    water: needs('nutrition'),
    steps: needs('activity'),
    distance: needs('activity'),
    floors_climbed: needs('activity'),
    calories_active: needs('activity'),
    calories_basal: needs('activity'),
    heartrate: needs('heartrate'),
    hrv: needs('heartrate'),
    blood_oxygen: needs('oxygen_saturation'),
    respiratory_rate: needs('respiratory_rate'),
    body_temperature: needs('temperature'),
    body_temperature_delta: needs('temperature'),
    vo2_max: needs('cardio_fitness'),
    workout_stream: { required: ['activity', 'location'], optional: ['heartrate'] },
    electrocardiogram: needs('electrocardiogram'),
    electrocardiogram_voltage: needs('electrocardiogram'),
    heart_rate_alert: needs('irregular_rhythm_notifications'),
  },
  unavailableResources: { glucose: 'The endpoint and fields of the values that users type in are not public.' },
  backfillDays: 90,
  // In order of priority: when a user's quota runs out, the summaries have been read first.
  pulls: [
    profilePull,
    activityPull,
    sleepPull,
    workoutsPull,
    weightPull,
    fatPull,
    hrvPull,
    bloodOxygenPull,
    respiratoryRatePull,
    skinTemperaturePull,
    coreTemperaturePull,
    vo2MaxPull,
    caloriesBasalPull,
    ecgPull,
    rhythmAlertsPull,
    heartratePull,
    stepsPull,
    distancePull,
    caloriesPull,
    floorsPull,
    foodsPull,
    workoutStreamsPull,
  ],
  push: fitbitPush,
  quotas: [{ scope: 'user', requests: 150, perMs: 3_600_000, window: 'aligned' }],
  historyLimit: { kind: 'concurrency', pulls: 250 },
  account: readFitbitAccount,
  devices: { read: fitbitDevices },
  // The last sync limits what may be stored of the current day.
  readsAccountFirst: true,
  readQuotas: readFitbitQuotas,
  classify: classifyFitbit,
};

/** Fitbit with other addresses, for a simulator. */
export function createFitbit(endpoints: Partial<ProviderEndpoints> = {}): Connector {
  return withEndpoints(fitbit, endpoints);
}
