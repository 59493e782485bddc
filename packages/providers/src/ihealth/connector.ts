import { hourMs } from '@pulsewire/kernel';
import { classifyByStatus, connectorDefaults, needs } from '../kit/connector-defaults.ts';
import { configurable } from '../kit/settings.ts';
import { findIhealthRefusal, readTokenError } from './classify.ts';
import { ihealthSettings, ihealthSlug, ihealthSourceId } from './ihealth.ts';
import type { ScopeNeeds } from '../kit/types/connector.ts';
import { createPulls, historyDays, resourcesWithoutSecret } from './pulls.ts';

const base = 'https://api.ihealthlabs.com:8443';
const login = `${base}/OpenApiV2/OAuthv2/userauthorization/`;

const resourceNeeds: Readonly<Record<string, ScopeNeeds>> = {
  blood_pressure: needs('OpenApiBP'),
  heartrate: { required: ['OpenApiBP'], optional: ['OpenApiSpO2'] },
  glucose: needs('OpenApiBG'),
  blood_oxygen: needs('OpenApiSpO2'),
  body: needs('OpenApiWeight'),
  weight: needs('OpenApiWeight'),
  fat: needs('OpenApiWeight'),
  body_mass_index: needs('OpenApiWeight'),
  activity: needs('OpenApiActivity'),
  steps: needs('OpenApiActivity'),
  distance: needs('OpenApiActivity'),
  sleep: needs('OpenApiSleep'),
  workouts: needs('OpenApiSport'),
  note: { required: ['OpenApiBP'], optional: ['OpenApiBG', 'OpenApiSpO2', 'OpenApiWeight'] },
};

const without = (needed: typeof resourceNeeds, names: readonly string[]): typeof resourceNeeds =>
  Object.fromEntries(Object.entries(needed).filter(([resource]) => !names.includes(resource)));

export const ihealth = configurable(ihealthSettings, (values) => ({
  ...connectorDefaults,
  slug: ihealthSlug,
  name: 'iHealth',
  description: 'Blood pressure monitors, glucose meters, scales, oximeters and activity trackers',
  sourceId: ihealthSourceId,
  authType: 'oauth',
  endpoints: { apiBaseUrl: base, authorizeUrl: login, tokenUrl: login, revokeUrl: null },
  oauth: {
    clientAuth: 'query',
    tokenMethod: 'GET',
    pkce: 'none',
    scopeField: 'APIName',
    scopeSeparator: ' ',
    scopes: ['OpenApiBP', 'OpenApiBG', 'OpenApiSpO2', 'OpenApiWeight', 'OpenApiActivity', 'OpenApiSleep', 'OpenApiSport'],
    refresh: 'rotates',
    refreshTypeField: 'response_type',
    tokenFields: { accessToken: 'AccessToken', refreshToken: 'RefreshToken', expiresIn: 'Expires', scope: 'APIName' },
    userIdPath: ['UserID'],
    readTokenError,
    // Two public clients work around a state that does not come back.
    ...(values.stateInAddress !== 'off' && { losesState: true }),
  },
  resources: without(resourceNeeds, resourcesWithoutSecret(values)),
  unavailableResources: {
    meal: 'The fields of food are not public.',
    profile: 'The fields of the user are not public.',
    ...Object.fromEntries(resourcesWithoutSecret(values).map((resource) => [resource, 'The operator has no key for its list.'])),
  },
  backfillDays: historyDays,
  pulls: createPulls(values),
  quotas: [{ scope: 'user', requests: 5000, perMs: hourMs, window: 'sliding' }],
  // Each poll reads seven lists.
  pollEveryMs: hourMs,
  // Every call repeats the application's id and secret, and has the token in the URL.
  authorize: (accessToken, _account, application) => ({
    query: {
      client_id: application?.clientId ?? '',
      client_secret: application?.clientSecret ?? '',
      access_token: accessToken,
      sc: values.sc,
      ...(values.redirectUri === '' ? {} : { redirect_uri: values.redirectUri }),
    },
  }),
  authorizesWithApplication: true,
  classify: (response) => findIhealthRefusal(response) ?? classifyByStatus(response),
  findRefusal: findIhealthRefusal,
}));
