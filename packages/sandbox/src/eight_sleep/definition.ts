import { passwordCapabilities } from '../kit/definition/capabilities.ts';
import type { ApiResponse, SimulatorDefinition } from '../kit/definition/definition.ts';
import { readJwtToken } from '../kit/oauth/jwt-tokens.ts';
import { intervalsRoute, trendsRoute } from './trends.ts';
import { appClient, tokenRoute } from './tokens.ts';
import { userRoutes } from './users.ts';

/** A broken day among good ones: a broken stage or reading would only cost its night. */
function withBrokenDay(body: object): object {
  if (!('days' in body)) return body;
  const days = (body.days as readonly object[]).map((day) => ({ ...day }));
  return days.length === 0 ? body : { ...body, days: [...days, { ...days[0], day: 'not a day', sessions: null, presenceStart: null }] };
}

const tooMany: ApiResponse = { status: 429, body: { status: 429, code: 'Too Many Requests' } };
/** Outages return an HTML page. */
const badGateway = (status: number): ApiResponse => ({ status, text: '<html><body>Bad gateway</body></html>', contentType: 'text/html' });

/** Eight Sleep, from recorded responses: a password for tokens, days with several sessions, series that begin before their session. */
export const eightSleepDefinition: SimulatorDefinition = {
  slug: 'eight_sleep',
  settings: appClient,
  capabilities: {
    ...passwordCapabilities,
    // Until the next night is over.
    newDataMinutes: 24 * 60,
  },
  regionPaths: { client: '/v1', auth: '/auth-host', app: '/app-host/v1' },
  apiPath: '/v1',
  providerUserId: (name) => Buffer.from(name).toString('hex').padEnd(32, '0').slice(0, 32),
  readToken: readJwtToken,
  routes: [tokenRoute, ...userRoutes, trendsRoute, intervalsRoute],
  refuse({ reason, status, message }) {
    if (reason === 'grant_invalid') return { status: 400, body: { status: 400, code: 'BadRequest', error: 'invalid_grant' } };
    if (status === 429) return tooMany;
    if (status === 502) return badGateway(status);
    return { status, body: { status, code: reason, error: message } };
  },
  troubles: {
    outage: (kind) => (kind === 'token' ? null : badGateway(504)),
    // Some features need one; the account itself stays readable.
    subscription_missing: (kind) =>
      kind === 'trends' ? { status: 403, body: { status: 403, code: 'Forbidden', error: 'subscription required' } } : null,
    sign_in_limited: (kind) => (kind === 'token' ? tooMany : null),
  },
  breakItem: withBrokenDay,
};
