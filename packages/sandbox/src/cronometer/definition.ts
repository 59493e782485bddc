import { oauthCapabilities } from '../kit/definition/capabilities.ts';
import type { SimulatorDefinition } from '../kit/definition/definition.ts';
import { cronometerRoutes } from './routes.ts';

/** Cronometer, from clients of the live API: reads by POST, tokens that never expire, meals without times. */
export const cronometerDefinition: SimulatorDefinition = {
  slug: 'cronometer',
  capabilities: {
    ...oauthCapabilities,
    refresh: false,
    // Until the meals of the next day.
    newDataMinutes: 24 * 60,
  },
  oauth: {
    authorizePath: '/oauth/authorize',
    tokenPath: '/oauth/token',
    revokePath: '/oauth/deauthorize',
    clientAuth: 'query',
    pkce: 'none',
    scopeSeparator: null,
    scopes: ['diary'],
    refresh: 'none',
    accessTokenSeconds: null,
    tokenResponse: ({ accessToken, account }) => ({ access_token: accessToken, token_type: 'bearer', user_id: account.providerUserId }),
  },
  routes: cronometerRoutes,
  refuse({ status, message }, endpoint) {
    // A gateway's page.
    if (status === 504) return { status, text: '<html><body><h1>504 Gateway Time-out</h1></body></html>', contentType: 'text/html' };
    return { status, body: endpoint === 'oauth' ? { message } : { error: message } };
  },
};
