import { oauthCapabilities } from '../kit/definition/capabilities.ts';
import type { SimulatorDefinition } from '../kit/definition/definition.ts';
import { withBrokenItem } from '../kit/http/malformed.ts';
import { invalid, type RefusalReason } from '../kit/parts/refusal.ts';
import { notifyRoute, withingsPushes } from './notifications.ts';
import { addRevocation } from './revocation.ts';
import { serviceRoutes } from './services.ts';

const threeHours = 10_800;
const eightHours = 28_800;

/** Errors are in the body, with HTTP status 200. */
const statuses: Readonly<Partial<Record<RefusalReason, number>>> = {
  token_invalid: 401,
  token_expired: 401,
  scope_missing: 277,
  rate_limited: 601,
  grant_invalid: 503,
  client_invalid: 342,
  request_invalid: 293,
  not_found: 293,
};

/** A status of the envelope, for all data services. */
const envelopeOf = (status: number, error: string) => (kind: string) =>
  kind.startsWith('oauth.') ? null : { status: 200, body: { status, body: {}, error } };

/** Minutes are not a list but an object by instant: a broken one is added a second after the first. */
function breakItem(body: object): object {
  const { series } = (body as { readonly body?: { readonly series?: unknown } }).body ?? {};
  const [first] = typeof series === 'object' && series !== null && !Array.isArray(series) ? Object.keys(series) : [];
  if (first === undefined) return withBrokenItem(body);
  const broken = { [String(Number(first) + 1)]: { model_id: 93, steps: 'not a value' } };
  return { ...body, body: { series: { ...(series as object), ...broken } } };
}

/**
 * Withings, from its documents: an envelope around every response, a refresh token that stays valid for eight hours, unsigned
 * pushes.
 */
export const withingsDefinition: SimulatorDefinition = {
  slug: 'withings',
  capabilities: {
    ...oauthCapabilities,
    push: { registration: 'api', isSigned: false, notifiesRevocation: true },
    deletes: {
      workout: ['workouts'],
      sleep: ['sleep', 'sleep_cycle'],
      morning: ['steps', 'distance', 'calories_active', 'floors_climbed', 'electrocardiogram', 'electrocardiogram_voltage'],
    },
    pages: true,
  },
  oauth: {
    authorizePath: '/oauth2_user/authorize2',
    tokenPath: '/v2/oauth2',
    clientAuth: 'body',
    pkce: 'none',
    scopeSeparator: ',',
    scopes: ['user.info', 'user.metrics', 'user.activity', 'user.sleepevents'],
    refresh: 'rotates',
    accessTokenSeconds: threeHours,
    graceSeconds: eightHours,
    check(form) {
      if (form.get('action') !== 'requesttoken') throw invalid('Invalid Params: unknown action');
    },
    tokenResponse: ({ grantType, accessToken, refreshToken, expiresIn, scopes, account: { providerUserId } }) => ({
      status: 0,
      body: {
        // A number at first, a string later.
        userid: grantType === 'refresh_token' ? providerUserId : Number(providerUserId),
        access_token: accessToken,
        refresh_token: refreshToken,
        expires_in: expiresIn,
        scope: scopes.join(','),
        csrf_token: 'csrf',
        token_type: 'Bearer',
      },
    }),
  },
  breakItem,
  quota: { scope: 'app', requests: 120, perSeconds: 60 },
  routes: [...serviceRoutes, notifyRoute],
  push: withingsPushes,
  troubles: {
    timed_out: envelopeOf(522, 'Timeout'),
    bad_state: envelopeOf(524, 'Bad state'),
    unauthorized_action: envelopeOf(214, 'Unauthorized'),
    unauthorized_first: envelopeOf(2553, 'Unauthorized'),
    unauthorized_second: envelopeOf(2554, 'Unauthorized'),
    unauthorized_last: envelopeOf(2555, 'Unauthorized'),
  },
  refuse({ reason, status, message }) {
    const shown = statuses[reason];
    if (shown === undefined) return { status, body: { status, error: message } };
    const error = reason === 'grant_invalid' ? 'Invalid Params: invalid refresh_token' : message;
    return { status: 200, body: { status: shown, body: {}, error } };
  },
  extend: addRevocation,
};
