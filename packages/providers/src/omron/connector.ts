import { connectorDefaults, needs } from '../kit/connector-defaults.ts';
import { providerError } from '../kit/http/provider-error.ts';
import { isTransientStatus } from '../kit/http/statuses.ts';
import { configurable } from '../kit/settings.ts';
import type { JudgedResponse, ProviderVerdict, RevocationCall } from '../kit/types/connector.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import { omronSettings, omronSlug, omronSourceId } from './omron.ts';
import { createPulls, historyDays } from './pulls.ts';
import { omronPush } from './push.ts';

/** The envelope reports with status 200 that a call failed; only that its `status` is not 0 is certain. */
export function findOmronRefusal({ body }: JudgedResponse): ProviderVerdict | null {
  const node = new JsonNode(body);
  const status = Number(node.at('status').value ?? 0);
  if (status === 0) return null;
  const reason = node.at('reason').value;
  if (typeof reason === 'string' && /token|unauthori[sz]ed/i.test(reason)) return { code: 'provider_token_expired' };
  return { code: 'provider_transient', details: { envelopeStatus: status } };
}

/** The endpoint is no longer documented: if it no longer exists, nothing can be revoked. */
async function revokeOmron({ http, application, accessToken, refreshToken, revokeUrl }: RevocationCall): Promise<boolean> {
  if (revokeUrl === null) return false;
  const token = refreshToken ?? accessToken;
  const hint = refreshToken === null ? 'access_token' : 'refresh_token';
  const credentials = { client_id: application.clientId, client_secret: application.clientSecret };
  const { status } = await http.send({ method: 'POST', path: revokeUrl, form: { ...credentials, token, token_type_hint: hint } });
  if (isTransientStatus(status)) throw providerError('provider_transient', { status });
  return status >= 200 && status < 300;
}

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
  findRefusal: findOmronRefusal,
}));
