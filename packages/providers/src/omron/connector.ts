import { classifyByStatus, connectorDefaults, needs } from '../kit/connector-defaults.ts';
import { configurable } from '../kit/settings.ts';
import { findOmronRefusal } from './classify.ts';
import { omronSettings, omronSlug, omronSourceId } from './omron.ts';
import { createPulls, historyDays } from './pulls.ts';
import { omronPush } from './push.ts';
import { revokeOmron } from './revoke.ts';

const scopes = ['bloodpressure', 'activity', 'weight', 'openid', 'offline_access'];

export const omron = configurable(omronSettings, (values) => ({
  ...connectorDefaults,
  slug: omronSlug,
  name: 'Omron',
  description: 'Blood pressure monitors, scales and activity trackers',
  sourceId: omronSourceId,
  authType: 'oauth',
  endpoints: {
    apiBaseUrl: 'https://prd-oauth.ohiomron.com/prd/api',
    authorizeUrl: 'https://prd-oauth-website.ohiomron.com/connect/authorize',
    tokenUrl: 'https://prd-oauth.ohiomron.com/prd/connect/token',
    revokeUrl: 'https://prd-oauth.ohiomron.com/prd/connect/revocation',
  },
  oauth: {
    clientAuth: 'body',
    pkce: 'none',
    scopeSeparator: ' ',
    scopes,
    essentialScopes: ['openid', 'offline_access'],
    refresh: 'rotates',
    idTokenClaim: 'sub',
    exchangeParams: { scope: scopes.join(' ') },
    revoke: revokeOmron,
  },
  resources: {
    blood_pressure: needs('bloodpressure'),
    heartrate: needs('bloodpressure'),
    heart_rate_alert: needs('bloodpressure'),
    body: needs('weight'),
    weight: needs('weight'),
    fat: needs('weight'),
    body_mass_index: needs('weight'),
    activity: needs('activity'),
    steps: needs('activity'),
  },
  unavailableResources: {
    body_temperature: 'The fields of temperatures, measured in Europe only, are not public.',
    blood_oxygen: 'The fields of oxygen readings, measured in Europe only, are not public.',
  },
  backfillDays: historyDays,
  pulls: createPulls(values),
  push: omronPush,
  account: ({ providerUserId = null, previous = {} }) => Promise.resolve({ providerUserId, account: { ...previous } }),
  classify: classifyByStatus,
  findRefusal: findOmronRefusal,
}));
