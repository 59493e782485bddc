import { classifyLibreview, findLibreviewRefusal } from '../abbott_libreview/classify.ts';
import { globalUrl, placeUrls, webHeaders } from '../abbott_libreview/libreview.ts';
import { freestyleSlug, freestyleSourceId } from './libreview.ts';
import { freestylePractice } from './practice.ts';
import { historyDays, reportPull } from './pull.ts';
import { connectorDefaults, needs, addressesWithoutOAuth } from '../kit/connector-defaults.ts';
import type { Connector } from '../kit/types/connector.ts';

export const freestyleLibre: Connector = {
  ...connectorDefaults,
  slug: freestyleSlug,
  name: 'FreeStyle Libre',
  description: 'Glucose sensor, read by a practice that its wearer has authorized',
  sourceId: freestyleSourceId,
  authType: 'email',
  endpoints: addressesWithoutOAuth(globalUrl, {
    regionUrls: placeUrls,
    // Reports are fetched from hosts that responses link to, such as `hub-eu.libreview.io`.
    linkDomain: 'libreview.io',
  }),
  email: freestylePractice,
  resources: { glucose: needs() },
  backfillDays: historyDays,
  pulls: [reportPull],
  // A report is expensive for LibreView and takes five calls.
  pollEveryMs: 60 * 60_000,
  authorize: (accessToken) => ({ headers: { ...webHeaders, authorization: `Bearer ${accessToken}` } }),
  classify: classifyLibreview,
  findRefusal: findLibreviewRefusal,
};
