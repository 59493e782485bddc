import { services, createContext, dexcomSettings, dexcomSlug, dexcomSourceId, placeUrls } from './dexcom.ts';
import { isSessionGone, readCode } from './error-code.ts';
import { readTime, mapGlucose } from './map-glucose.ts';
import { createDexcomPassword } from './password.ts';
import { classifyByStatus, needs, passwordDefaults, addressesWithoutOAuth } from '../kit/connector-defaults.ts';
import { pullDefaults } from '../kit/pull-presets.ts';
import { configurable } from '../kit/settings.ts';
import { offsetZoneName } from '../kit/time/offset-zone.ts';
import type {
  ProviderResponse,
  ProviderHttp,
  AccountContext,
  AccountFacts,
  JudgedResponse,
  ProviderVerdict,
} from '../kit/types/connector.ts';
import { JsonNode, readEach } from '../kit/values/json-node.ts';

/** Share keeps one day, with a reading every five minutes. */
const readingsMax = 288;
const minutesMax = 1440;

/** The latest readings of the last 24 hours, newest first. */
function readLatest(http: ProviderHttp, count: number): Promise<ProviderResponse> {
  const query = { minutes: String(minutesMax), maxCount: String(count) };
  const headers = { accept: 'application/json' };
  return http.post(`${services}/Publisher/ReadPublisherLatestGlucoseValues`, { query, headers, json: {}, isRead: true });
}

/** The user's zone, from the clock of the last reading; Share returns no other account facts. */
async function readDexcomAccount({ http, previous = {}, providerUserId = null }: AccountContext): Promise<AccountFacts> {
  const { body } = await readLatest(http, 1);
  const [last] = readEach('glucose', new JsonNode(body), [], readTime);
  const zone = last?.offset == null ? {} : { time_zone: offsetZoneName(last.offset) };
  return { providerUserId, account: { ...previous, ...zone } };
}

/** An expired session is an expired token: the credentials open the next one. A call that Share rejects as invalid is permanent. */
export function classifyDexcom(response: JudgedResponse): ProviderVerdict {
  if (isSessionGone(response.body)) return { code: 'provider_token_expired' };
  if (readCode(response.body)?.code === 'InvalidArgument') return { code: 'provider_permanent' };
  return classifyByStatus(response);
}

export const dexcom = configurable(dexcomSettings, (values) => ({
  ...passwordDefaults,
  slug: dexcomSlug,
  name: 'Dexcom (Share)',
  description: 'Glucose sensor, read as the wearer shares it',
  sourceId: dexcomSourceId,
  endpoints: addressesWithoutOAuth(placeUrls.us, { regionUrls: placeUrls }),
  password: createDexcomPassword(values),
  resources: { glucose: needs() },
  backfillDays: 1,
  pulls: [
    {
      ...pullDefaults,
      name: 'glucose',
      resources: ['glucose'],
      // One call returns all available data: 24 hours, which may touch three calendar days because the zones of clocks differ.
      chunkDays: 3,
      backfillDays: 1,
      rereadDays: 2,
      deletions: { unseen: 'A response covers only the last day, and readings cannot be deleted.' },
      async *pull({ http, user, window }) {
        const response = await readLatest(http, readingsMax);
        yield { ...mapGlucose(response.body, window, createContext(user)), version: response.version };
      },
    },
  ],
  pollEveryMs: 5 * 60_000,
  account: readDexcomAccount,
  authorize: (sessionId) => ({ query: { sessionId } }),
  classify: classifyDexcom,
}));
