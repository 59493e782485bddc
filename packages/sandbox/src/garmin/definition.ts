import { oauthCapabilities } from '../kit/definition/capabilities.ts';
import type { SimulatorDefinition } from '../kit/definition/definition.ts';
import { dataRoutes } from './backfill.ts';
import type { RefusalReason } from '../kit/parts/refusal.ts';
import { breakSummaries } from './break-summaries.ts';
import { garminPushes } from './pushes.ts';
import { userRoutes } from './users.ts';

const oneDay = 86_400;

/** Errors of the token endpoint use OAuth's error codes, all others one field, `errorMessage`. */
const oauthErrors: Readonly<Partial<Record<RefusalReason, string>>> = { grant_invalid: 'invalid_grant', client_invalid: 'invalid_client' };

/**
 * Garmin Connect, from open connectors: PKCE, permissions instead of scopes, data that can be read only after a ping, history
 * that is requested and then pushed.
 */
export const garminDefinition: SimulatorDefinition = {
  slug: 'garmin',
  capabilities: {
    ...oauthCapabilities,
    push: { registration: 'portal', isSigned: false, notifiesRevocation: true },
    newDataMinutes: 6 * 60,
  },
  oauth: {
    authorizePath: '/oauth2Confirm',
    tokenPath: '/di-oauth2-service/oauth/token',
    clientAuth: 'body',
    pkce: 'required',
    scopeSeparator: null,
    scopes: ['HEALTH_EXPORT', 'ACTIVITY_EXPORT', 'MCT_EXPORT', 'HISTORICAL_DATA_EXPORT'],
    refresh: 'rotates',
    accessTokenSeconds: oneDay,
    tokenResponse: ({ accessToken, refreshToken, expiresIn }) => ({
      access_token: accessToken,
      token_type: 'bearer',
      refresh_token: refreshToken,
      expires_in: expiresIn,
      refresh_token_expires_in: 7_775_998,
      // The application's scopes, independent of the user's choice.
      scope: 'PARTNER_WRITE PARTNER_READ CONNECT_READ CONNECT_WRITE',
      jti: '00000000-0000-4000-8000-000000000000',
    }),
  },
  quota: { scope: 'app', requests: 100, perSeconds: 60 },
  routes: [...userRoutes, ...dataRoutes],
  push: garminPushes,
  providerUserId: (name) => `garmin-${name.toLowerCase().replaceAll(' ', '-')}`,
  refuse: ({ status, reason, message }) => {
    const oauthError = oauthErrors[reason];
    return { status, body: oauthError === undefined ? { errorMessage: message } : { error: oauthError, error_description: message } };
  },
  breakItem: breakSummaries,
};
