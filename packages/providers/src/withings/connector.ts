import { connectorDefaults, needs } from '../kit/connector-defaults.ts';
import type { Connector } from '../kit/types/connector.ts';
import { readWithingsAccount } from './account.ts';
import { classifyWithings, findWithingsRefusal, readTokenError } from './classify.ts';
import { devicesOfAccount } from './devices.ts';
import { withingsPulls } from './pulls/all.ts';
import { historyDays } from './pulls/depths.ts';
import { withingsPush } from './push.ts';
import { revokeWithings } from './revoke.ts';
import { withingsSlug, withingsSourceId } from './withings.ts';

const metrics = needs('user.metrics');
const activity = needs('user.activity');
const requestToken = { action: 'requesttoken' };

export const withings: Connector = {
  ...connectorDefaults,
  slug: withingsSlug,
  name: 'Withings',
  description: 'Scales, blood pressure monitors, watches, thermometers and sleep mats',
  sourceId: withingsSourceId,
  authType: 'oauth',
  endpoints: {
    apiBaseUrl: 'https://wbsapi.withings.net',
    authorizeUrl: 'https://account.withings.com/oauth2_user/authorize2',
    tokenUrl: 'https://wbsapi.withings.net/v2/oauth2',
    revokeUrl: null,
  },
  oauth: {
    clientAuth: 'body',
    pkce: 'none',
    scopeSeparator: ',',
    scopes: ['user.info', 'user.metrics', 'user.activity'],
    refresh: 'rotates',
    tokenPath: ['body'],
    userIdPath: ['userid'],
    exchangeParams: requestToken,
    refreshParams: requestToken,
    readTokenError,
    revoke: revokeWithings,
  },
  resources: {
    profile: metrics,
    body: metrics,
    weight: metrics,
    fat: metrics,
    lean_body_mass: metrics,
    blood_pressure: metrics,
    heartrate: { required: ['user.metrics'], optional: ['user.activity'] },
    blood_oxygen: { required: ['user.metrics'], optional: ['user.activity'] },
    body_temperature: { required: ['user.metrics'], optional: ['user.activity'] },
    vo2_max: metrics,
    electrocardiogram: metrics,
    electrocardiogram_voltage: metrics,
    activity,
    workouts: activity,
    sleep: activity,
    sleep_cycle: activity,
    hrv: activity,
    respiratory_rate: activity,
    sleep_breathing_disturbance: activity,
    steps: activity,
    distance: activity,
    calories_active: activity,
    floors_climbed: activity,
  },
  unavailableResources: { glucose: 'The type of the measure is not public.' },
  backfillDays: historyDays,
  pulls: withingsPulls,
  push: withingsPush,
  quotas: [{ scope: 'app', requests: 120, perMs: 60_000, window: 'sliding' }],
  historyLimit: { kind: 'rate', pulls: 8, perMs: 60_000 },
  account: readWithingsAccount,
  devices: { read: devicesOfAccount },
  classify: classifyWithings,
  findRefusal: findWithingsRefusal,
};
