import { classifyByStatus, connectorDefaults, needs } from '../kit/connector-defaults.ts';
import type { Connector } from '../kit/types.ts';
import { readWhoopAccount } from './account.ts';
import { whoopPassword } from './password.ts';
import { historyDays, whoopPulls } from './pulls.ts';
import { whoopSlug, whoopSourceId } from './whoop.ts';

export const whoop: Connector = {
  ...connectorDefaults,
  slug: whoopSlug,
  name: 'WHOOP (app login)',
  description: 'Strap for strain, recovery and sleep, by the login of its app',
  sourceId: whoopSourceId,
  authType: 'password',
  endpoints: { apiBaseUrl: 'https://api.prod.whoop.com', authorizeUrl: null, tokenUrl: null, revokeUrl: null },
  password: whoopPassword,
  resources: Object.fromEntries(whoopPulls.flatMap(({ resources }) => resources.map((name) => [name, needs()]))),
  backfillDays: historyDays,
  pulls: whoopPulls,
  pollEveryMs: 30 * 60_000,
  account: readWhoopAccount,
  classify: classifyByStatus,
};
