import { needs, passwordDefaults, addressesWithoutOAuth } from '../kit/connector-defaults.ts';
import { configurable } from '../kit/settings.ts';
import { readLibreviewAccount } from './account.ts';
import { classifyLibreview, findLibreviewRefusal } from './classify.ts';
import {
  appHeadersOf,
  globalUrl,
  isPatient,
  libreviewSettings,
  libreviewSlug,
  libreviewSourceId,
  placeUrls,
  webHeaders,
} from './libreview.ts';
import { createLibreviewPassword } from './sign-in/password.ts';
import { libreviewPulls, reportDays } from './pulls.ts';

const unread = 'Only the reports of LibreView have it, in fields that are not public; its export is behind a captcha.';

export const abbottLibreview = configurable(libreviewSettings, (values) => ({
  ...passwordDefaults,
  slug: libreviewSlug,
  name: 'FreeStyle LibreLinkUp',
  description: 'Glucose sensor, read as its wearer shares it, or in the LibreView account of its wearer',
  sourceId: libreviewSourceId,
  endpoints: addressesWithoutOAuth(globalUrl, {
    regionUrls: placeUrls,
    // Reports are fetched from hosts that responses link to, such as `hub-eu.libreview.io`.
    linkDomain: 'libreview.io',
  }),
  password: createLibreviewPassword(values),
  resources: { glucose: needs() },
  unavailableResources: { carbohydrates: unread, insulin_injection: unread, note: unread },
  backfillDays: reportDays,
  pulls: libreviewPulls,
  // Abbott's bot protection blocks accounts that are polled every few minutes.
  pollEveryMs: 15 * 60_000,
  account: readLibreviewAccount,
  authorize(accessToken, account) {
    if (isPatient(account)) return { headers: { ...webHeaders, authorization: `Bearer ${accessToken}` } };
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
