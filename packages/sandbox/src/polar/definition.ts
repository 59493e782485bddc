import { oauthCapabilities } from '../kit/definition/capabilities.ts';
import type { SimulatorDefinition } from '../kit/definition/definition.ts';
import { withBrokenItem } from '../kit/http/malformed.ts';
import { dataRoutes } from './routes.ts';
import { userRoutes } from './users.ts';
import { polarPushes, webhookRoutes } from './webhooks.ts';

const tenYears = 315_360_000;

/** A broken reading in each of the days, which are read apart. */
function breakDays(days: readonly object[]): object {
  return { heart_rates: days.map(withBrokenItem) };
}

/** Polar AccessLink v3, from its documents: tokens that live for years and cannot be renewed, a registration before any data. */
export const polarDefinition: SimulatorDefinition = {
  slug: 'polar',
  capabilities: {
    ...oauthCapabilities,
    refresh: false,
    push: { registration: 'api', isSigned: true, notifiesRevocation: false },
    deletes: {
      workout: ['workouts'],
      sleep: ['sleep', 'sleep_cycle', 'body_temperature_delta'],
      morning: ['steps', 'heartrate', 'blood_oxygen', 'electrocardiogram', 'electrocardiogram_voltage'],
    },
  },
  breakItem: (body) => ('heart_rates' in body ? breakDays(body.heart_rates as readonly object[]) : withBrokenItem(body)),
  apiPath: '/v3',
  oauth: {
    authorizePath: '/oauth2/authorization',
    tokenPath: '/v2/oauth2/token',
    clientAuth: 'basic',
    pkce: 'none',
    scopeSeparator: ' ',
    scopes: ['accesslink.read_all'],
    refresh: 'none',
    accessTokenSeconds: tenYears,
    tokenResponse: ({ accessToken, expiresIn, account }) => ({
      access_token: accessToken,
      token_type: 'bearer',
      expires_in: expiresIn,
      x_user_id: Number(account.providerUserId),
    }),
  },
  quota: {
    scope: 'app',
    requests: 600,
    perSeconds: 900,
    headers: ({ limit, remaining, resetSeconds }) => ({
      'RateLimit-Limit': `${limit}, 6000`,
      'RateLimit-Usage': `${limit - remaining}, ${limit - remaining}`,
      'RateLimit-Reset': `${resetSeconds}, 86400`,
    }),
  },
  routes: [...dataRoutes, ...userRoutes, ...webhookRoutes],
  push: polarPushes,
  // The user may withdraw a mandatory consent in Flow, and give it again.
  troubles: { consent_withdrawn: (kind) => (/^webhooks|^oauth/.test(kind) ? null : { status: 403 }) },
};
