import { oauthCapabilities } from '../kit/definition/capabilities.ts';
import { demoAccounts } from './accounts/demo-accounts.ts';
import { introspectRoute } from './api/introspect.ts';
import { routes } from './api/routes.ts';
import { readOldState } from './old-state.ts';
import { createFitbitPerson, type FitbitPerson, type FitbitPersonSnapshot } from './person/person.ts';
import { fitbitPushes } from './subscriptions/pushes.ts';
import { dropSubscriptions } from './subscriptions/subscriptions.ts';
import { scopes, type FitbitSimulatorOptions } from './types.ts';
import type { ApiResponse, SimulatorDefinition } from '../kit/definition/definition.ts';
import type { RefusalError, RefusalReason } from '../kit/parts/refusal.ts';
import { fitbitIdOf } from '../model/fitbit-id.ts';
import { createRecording } from '../recording/recording.ts';

const errorTypes: Readonly<Record<RefusalReason, string>> = {
  token_invalid: 'invalid_token',
  token_expired: 'expired_token',
  scope_missing: 'insufficient_scope',
  forbidden: 'insufficient_permissions',
  account_state: 'insufficient_permissions',
  client_invalid: 'invalid_client',
  grant_invalid: 'invalid_grant',
  grant_type_unsupported: 'unsupported_grant_type',
  request_invalid: 'validation',
  not_found: 'not_found',
  rate_limited: 'rate_limited',
  conflict: 'conflict',
  server_error: 'system',
};

/** `{"success":false,"errors":[…]}` */
function refuse({ reason, status, message }: RefusalError, endpoint: 'api' | 'oauth'): ApiResponse {
  const errorType = endpoint === 'oauth' && reason === 'request_invalid' ? 'invalid_request' : errorTypes[reason];
  return {
    status,
    body: { success: false, errors: [{ errorType, message }] },
    ...(reason === 'client_invalid' && { headers: { 'WWW-Authenticate': 'Basic realm="api.fitbit.com"' } }),
  };
}

/** Every call, that for tokens included, once the interface is shut down. */
const gone: ApiResponse = {
  status: 410,
  body: { success: false, errors: [{ errorType: 'gone', message: 'This API is no longer available' }] },
};

/** Fitbit with the data of volunteers. Revisions are drawn from `random`. */
export function fitbitDefinition(options: FitbitSimulatorOptions, random: () => number): SimulatorDefinition<FitbitPerson> {
  const recording = createRecording(options.dataFolder ? { folder: options.dataFolder } : {});
  const { historyDays } = options;
  return {
    slug: 'fitbit',
    capabilities: {
      ...oauthCapabilities,
      push: { registration: 'portal', isSigned: true, notifiesRevocation: true },
      truth: false,
      // A day has 17,000 readings of the heart rate.
      conformanceDays: 2,
    },
    oauth: {
      authorizePath: '/oauth2/authorize',
      tokenPath: '/oauth2/token',
      revokePath: '/oauth2/revoke',
      hasPlainRevocation: true,
      clientAuth: 'basic',
      pkce: 'optional',
      scopeSeparator: ' ',
      scopes,
      refresh: 'rotates',
      accessTokenSeconds: options.accessTokenSeconds ?? 8 * 3600,
      graceSeconds: 120,
      consentNote: 'the data was recorded by volunteers',
      tokenResponse: ({ accessToken, expiresIn, refreshToken, scopes: granted, account }) => ({
        access_token: accessToken,
        expires_in: expiresIn,
        refresh_token: refreshToken,
        scope: granted.join(' '),
        token_type: 'Bearer',
        user_id: account.providerUserId,
      }),
    },
    quota: {
      scope: 'user',
      requests: options.requestsPerHour ?? 150,
      perSeconds: 3600,
      headers: ({ limit, remaining, resetSeconds }) => ({
        'Fitbit-Rate-Limit-Limit': String(limit),
        'Fitbit-Rate-Limit-Remaining': String(remaining),
        'Fitbit-Rate-Limit-Reset': String(resetSeconds),
      }),
    },
    routes: [...routes, introspectRoute],
    push: fitbitPushes(options.batchMs ?? 100),
    providerUserId: fitbitIdOf,
    createPerson: (spec, clock, snapshot) =>
      createFitbitPerson(historyDays === undefined ? spec : { historyDays, ...spec }, {
        recording,
        clock,
        random,
        snapshot: snapshot as FitbitPersonSnapshot | undefined,
      }),
    refuse,
    troubles: { shut_down: () => gone },
    onConsentEnded: ({ clientId, providerUserId }, parts) => dropSubscriptions(parts, clientId, providerUserId),
    readOldState: (state) => readOldState(state, options.accounts ?? demoAccounts(5)),
  };
}
