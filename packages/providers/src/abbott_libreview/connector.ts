import { connectorDefaults, needs } from '../kit/connector-defaults.ts';
import type { Connector } from '../kit/types.ts';
import { readLibreviewAccount } from './account.ts';
import { classifyLibreview, findLibreviewRefusal } from './classify.ts';
import { appHeaders, globalUrl, libreviewSlug, libreviewSourceId, placeUrls } from './libreview.ts';
import { libreviewPassword } from './password.ts';
import { libreviewPulls, logbookDays } from './pulls.ts';

export const abbottLibreview: Connector = {
  ...connectorDefaults,
  slug: libreviewSlug,
  name: 'FreeStyle LibreLinkUp',
  description: 'Glucose sensor, read as its wearer shares it',
  sourceId: libreviewSourceId,
  authType: 'password',
  endpoints: { apiBaseUrl: globalUrl, regionUrls: placeUrls, authorizeUrl: null, tokenUrl: null, revokeUrl: null },
  password: libreviewPassword,
  resources: { glucose: needs() },
  backfillDays: logbookDays,
  pulls: libreviewPulls,
  // Those who ask every few minutes are taken for robots and locked out.
  pollEveryMs: 15 * 60_000,
  account: readLibreviewAccount,
  authorize(accessToken, account) {
    const accountId = account['account_id'];
    return {
      headers: {
        ...appHeaders,
        authorization: `Bearer ${accessToken}`,
        ...(typeof accountId === 'string' ? { 'account-id': accountId } : {}),
      },
    };
  },
  classify: classifyLibreview,
  findRefusal: findLibreviewRefusal,
};
