import { connectorDefaults, withoutScopes } from '../kit/connector-defaults.ts';
import { judgeRevocation } from '../kit/oauth/revoke-token.ts';
import type { Connector, RevocationCall } from '../kit/types/connector.ts';
import { cronometerSlug, cronometerSourceId } from './cronometer.ts';
import { diaryPull, historyDays } from './pulls.ts';

/** Like the token call, with its field in the query and no body. */
async function revoke({ http, accessToken, revokeUrl }: RevocationCall): Promise<boolean> {
  if (revokeUrl === null) return false;
  const { status } = await http.send({ method: 'POST', path: revokeUrl, query: { access_token: accessToken } });
  return judgeRevocation(status);
}

export const cronometer: Connector = {
  ...connectorDefaults,
  slug: cronometerSlug,
  name: 'Cronometer',
  description: 'Food diary with nutrients, water and caffeine',
  sourceId: cronometerSourceId,
  authType: 'oauth',
  offsetsFrom: 'zone',
  endpoints: {
    apiBaseUrl: 'https://cronometer.com',
    authorizeUrl: 'https://cronometer.com/oauth/authorize',
    tokenUrl: 'https://cronometer.com/oauth/token',
    revokeUrl: 'https://cronometer.com/oauth/deauthorize',
  },
  oauth: {
    clientAuth: 'query',
    pkce: 'none',
    scopeSeparator: null,
    scopes: [],
    // Tokens do not expire.
    refresh: 'none',
    userIdPath: ['user_id'],
    revoke,
  },
  resources: withoutScopes('meal', 'carbohydrates', 'water', 'caffeine'),
  backfillDays: historyDays,
  pulls: [diaryPull],
  pollEveryMs: 3_600_000,
};
