import { minuteMs } from '@pulsewire/kernel';
import { classifyByStatus, connectorDefaults, needs } from '../kit/connector-defaults.ts';
import { judgeRevocation } from '../kit/oauth/revoke-token.ts';
import { providerError } from '../kit/http/provider-error.ts';
import { noteWeight } from '../kit/records/typed-weight.ts';
import { configurable } from '../kit/settings.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import type { RevocationCall } from '../kit/types/connector.ts';
import { wahooPulls } from './pulls.ts';
import { createWahooPush } from './push.ts';
import { wahooSettings, wahooSlug, wahooSourceId } from './wahoo.ts';

/** `DELETE /v1/permissions` with a valid token ends the consent, and frees its place among the ten that a user may have. */
async function revoke({ http, accessToken }: RevocationCall): Promise<boolean> {
  const headers = { authorization: `Bearer ${accessToken}` };
  const { status } = await http.send({ method: 'DELETE', path: '/v1/permissions', headers });
  if (status === 401) throw providerError('provider_token_expired', { status });
  return judgeRevocation(status);
}

/**
 * An invalid refresh token has been observed to be rejected with an empty 400, and the eleventh unrevoked token with a sentence; any other
 * 400 with a text must be resolved by the operator.
 */
function readTokenError({ status, body }: { readonly status: number; readonly body: unknown }): string | null {
  if (status === 400 && body === undefined) return 'invalid_grant';
  const error = new JsonNode(body).at('error').value;
  return typeof error === 'string' && /too many unrevoked/i.test(error) ? 'too_many_tokens' : null;
}

export const wahoo = configurable(wahooSettings, (values) => ({
  ...connectorDefaults,
  slug: wahooSlug,
  name: 'Wahoo',
  description: 'Workouts of bike computers, watches and trainers, with their FIT files',
  sourceId: wahooSourceId,
  authType: 'oauth',
  endpoints: {
    apiBaseUrl: 'https://api.wahooligan.com',
    authorizeUrl: 'https://api.wahooligan.com/oauth/authorize',
    tokenUrl: 'https://api.wahooligan.com/oauth/token',
    revokeUrl: null,
    linkDomain: 'wahooligan.com',
  },
  oauth: {
    clientAuth: 'body',
    pkce: 'none',
    scopeSeparator: ' ',
    scopes: ['user_read', 'workouts_read', 'offline_data'],
    essentialScopes: ['user_read', 'offline_data'],
    refresh: 'rotates',
    readTokenError,
    revoke,
  },
  resources: {
    workouts: needs('user_read', 'workouts_read'),
    workout_stream: needs('user_read', 'workouts_read'),
    profile: needs('user_read'),
    body: needs('user_read'),
    weight: needs('user_read'),
  },
  backfillDays: 180,
  pulls: wahooPulls,
  push: createWahooPush(values),
  // A production application; a new one has 25, 100 and 250.
  quotas: [
    { scope: 'app', requests: 200, perMs: 5 * minuteMs, window: 'sliding' },
    { scope: 'app', requests: 1000, perMs: 60 * minuteMs, window: 'sliding' },
    { scope: 'app', requests: 5000, perMs: 1440 * minuteMs, window: 'sliding' },
  ],
  async account({ http, previous = {}, now }) {
    const user = new JsonNode((await http.get('/v1/user')).body);
    const weight = user.at('weight').optional((node) => node.amount());
    return { providerUserId: user.at('id').id(), account: { ...previous, ...noteWeight(weight, previous, now) } };
  },
  classify(response) {
    // Its documents give it two meanings, an application that is not approved and wrong parameters; neither is the user's.
    if (response.status === 422) return { code: 'provider_configuration', details: { reason: 'app_not_approved' } };
    // Every call needs `user_read`.
    return response.status === 403 ? { code: 'provider_scope_missing' } : classifyByStatus(response);
  },
}));
