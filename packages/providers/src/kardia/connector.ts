import { classifyByStatus, connectorDefaults, needs } from '../kit/connector-defaults.ts';
import { historyDaysMax } from '../kit/history-depth.ts';
import { summariesOn } from '../kit/records/complete-ranges.ts';
import { readPages } from '../kit/http/read-pages.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import type { Connector, ProviderHttp, ProviderResponse } from '../kit/types/connector.ts';
import { basicAuthOf, createContext, kardiaSlug, kardiaSourceId, recorder } from './kardia.ts';
import { mapRecordings } from './map-recordings.ts';
import { kardiaPassword } from './password.ts';

const placeUrls = { us: 'https://api.kardia.com', eu: 'https://eu-api.kardia.com' } as const;
const dayMs = 86_400_000;

/** The order of the list is not stated, so it is read to its end. */
function readRecordings(http: ProviderHttp, patientId: string): AsyncGenerator<ProviderResponse> {
  const path = `/v1/patients/${encodeURIComponent(patientId)}/recordings`;
  return readPages<string>({
    first: '',
    read: (start) => http.get(path, { limit: '50', ...(start !== '' && { start }) }),
    next({ body }) {
      const page = new JsonNode(body).at('pageInfo');
      const { value: cursor } = page.at('endCursor');
      return page.at('hasNextPage').value === true && typeof cursor === 'string' && cursor !== '' ? cursor : null;
    },
  });
}

export const kardia: Connector = {
  ...connectorDefaults,
  slug: kardiaSlug,
  name: 'Kardia',
  description: 'Electrocardiograms of KardiaMobile recorders, read from the account of a clinic',
  sourceId: kardiaSourceId,
  authType: 'password',
  endpoints: { apiBaseUrl: placeUrls.us, regionUrls: placeUrls, authorizeUrl: null, tokenUrl: null, revokeUrl: null },
  password: kardiaPassword,
  resources: { electrocardiogram: needs(), electrocardiogram_voltage: needs(), heartrate: needs() },
  backfillDays: 365,
  pulls: [
    {
      name: 'recordings',
      resources: ['electrocardiogram', 'electrocardiogram_voltage', 'heartrate'],
      requiredScopes: [],
      // The list has no dates: one reading covers every window.
      chunkDays: historyDaysMax,
      backfillDays: historyDaysMax,
      rereadDays: 7,
      deletions: 'by_absence',
      collections: [],
      async *pull({ http, user, window }) {
        const context = createContext(user);
        const partOf = summariesOn(window, recorder, 'electrocardiogram');
        for await (const { body, version } of readRecordings(http, user.providerUserId))
          yield { version, ...mapRecordings(body, window, context), partOf };
      },
    },
  ],
  // Every poll reads the whole list.
  pollEveryMs: dayMs / 4,
  account: ({ providerUserId = null, previous = {} }) => Promise.resolve({ providerUserId, account: { ...previous } }),
  authorize: (apiKey) => ({ headers: { authorization: basicAuthOf(apiKey) } }),
  classify: classifyByStatus,
};
