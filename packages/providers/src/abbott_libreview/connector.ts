import { connectorDefaults, needs } from '../kit/connector-defaults.ts';
import { configurable } from '../kit/settings.ts';
import { readLibreviewAccount } from './account.ts';
import { classifyLibreview, findLibreviewRefusal } from './classify.ts';
import { appHeadersOf, globalUrl, libreviewSettings, libreviewSlug, libreviewSourceId, placeUrls } from './libreview.ts';
import { createLibreviewPassword } from './sign-in/password.ts';
import { libreviewPulls, logbookDays } from './pulls.ts';

export const abbottLibreview = configurable(libreviewSettings, (values) => ({
  ...connectorDefaults,
  slug: libreviewSlug,
  name: 'FreeStyle LibreLinkUp',
  description: 'Glucose sensor, read as its wearer shares it',
  sourceId: libreviewSourceId,
  authType: 'password',
  endpoints: { apiBaseUrl: globalUrl, regionUrls: placeUrls, authorizeUrl: null, tokenUrl: null, revokeUrl: null },
  password: createLibreviewPassword(values),
  resources: { glucose: needs() },
  backfillDays: logbookDays,
  pulls: libreviewPulls,
  // Abbott's bot protection blocks accounts that are polled every few minutes.
  pollEveryMs: 15 * 60_000,
  account: readLibreviewAccount,
  authorize(accessToken, account) {
    const accountId = account['account_id'];
    return {
      headers: {
        ...appHeadersOf(values),
        authorization: `Bearer ${accessToken}`,
        ...(typeof accountId === 'string' ? { 'account-id': accountId } : {}),
      },
    };
  },
  classify: classifyLibreview,
  findRefusal: findLibreviewRefusal,
}));
