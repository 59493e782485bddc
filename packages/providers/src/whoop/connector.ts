import { classifyByStatus, connectorDefaults, needs } from '../kit/connector-defaults.ts';
import { configurable } from '../kit/settings.ts';
import { readWhoopAccount } from './account.ts';
import { createWhoopPassword } from './password.ts';
import { historyDays, whoopPulls } from './pulls.ts';
import { whoopSettings, whoopSlug, whoopSourceId } from './whoop.ts';

export const whoop = configurable(whoopSettings, (values) => ({
  ...connectorDefaults,
  slug: whoopSlug,
  name: 'WHOOP (app login)',
  description: 'Strap for strain, recovery and sleep, by the login of its app',
  sourceId: whoopSourceId,
  authType: 'password',
  endpoints: { apiBaseUrl: 'https://api.prod.whoop.com', authorizeUrl: null, tokenUrl: null, revokeUrl: null },
  password: createWhoopPassword(values),
  resources: Object.fromEntries(whoopPulls.flatMap(({ resources }) => resources.map((name) => [name, needs()]))),
  unavailableResources: {
    steps: 'There is no series of steps: WHOOP refuses it, and shows the total of a day only on a screen of its app.',
  },
  backfillDays: historyDays,
  pulls: whoopPulls,
  pollEveryMs: 60 * 60_000,
  account: readWhoopAccount,
  authorize: (accessToken) => ({
    headers: { authorization: `Bearer ${accessToken}` },
    query: { apiVersion: values.apiVersion },
  }),
  classify: classifyByStatus,
}));
