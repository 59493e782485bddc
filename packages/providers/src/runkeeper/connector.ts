import { minuteMs } from '@pulsewire/kernel';
import { classifyByStatus, connectorDefaults, withoutScopes } from '../kit/connector-defaults.ts';
import { judgeRevocation } from '../kit/oauth/revoke-token.ts';
import type { JudgedResponse, ProviderVerdict, Connector, RevocationCall } from '../kit/types/connector.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import { openToAll } from './open-to-all.ts';
import { activitiesPull, editedActivitiesPull } from './pulls/activities.ts';
import { healthPulls } from './pulls/health.ts';
import { mediaType, runkeeperSlug, runkeeperSourceId } from './runkeeper.ts';

const unitMs: Readonly<Record<string, number>> = { second: 1000, minute: minuteMs, hour: 60 * minuteMs, day: 1440 * minuteMs };
const waitDefaultMs = 15 * minuteMs;

/** A refusal for too many calls is a sentence, such as one that ends in "every 15 minutes". */
function readWait(bytes: Buffer | undefined): number {
  const match = /(\d{1,4}) (second|minute|hour|day)/i.exec(bytes?.subarray(0, 2000).toString('utf8') ?? '');
  return match === null ? waitDefaultMs : Number(match[1]) * (unitMs[match[2]?.toLowerCase() ?? ''] ?? minuteMs);
}

/** 403 is a kind of data that the vendor has not opened for the application; the list of activities is open to all. */
function classifyRunkeeper(response: JudgedResponse): ProviderVerdict {
  if (response.status === 403) return { code: 'provider_scope_missing' };
  const verdict = classifyByStatus(response);
  if (response.status !== 429 || verdict.retryAfterMs !== undefined) return verdict;
  return { ...verdict, retryAfterMs: readWait(response.bytes) };
}

async function revoke({ http, accessToken, revokeUrl }: RevocationCall): Promise<boolean> {
  if (revokeUrl === null) return false;
  const { status } = await http.send({ method: 'POST', path: revokeUrl, form: { access_token: accessToken } });
  return judgeRevocation(status);
}

export const runkeeper: Connector = {
  ...connectorDefaults,
  slug: runkeeperSlug,
  name: 'Runkeeper',
  description: 'Workouts with their tracks, weight and daily steps',
  sourceId: runkeeperSourceId,
  authType: 'oauth',
  endpoints: {
    apiBaseUrl: 'https://api.runkeeper.com',
    authorizeUrl: 'https://runkeeper.com/apps/authorize',
    tokenUrl: 'https://runkeeper.com/apps/token',
    revokeUrl: 'https://runkeeper.com/apps/de-authorize',
  },
  oauth: { clientAuth: 'body', pkce: 'none', scopeSeparator: null, scopes: [], refresh: 'none', revoke },
  resources: withoutScopes(
    'workouts',
    'workout_stream',
    'profile',
    'body',
    'weight',
    'fat',
    'body_mass_index',
    'lean_body_mass',
    'activity',
    'steps',
    'blood_pressure',
  ),
  unavailableResources: {
    sleep: 'Nights have no start and no end.',
    glucose: 'The unit of glucose is not public.',
    meal: 'The units of nutrition are not public.',
  },
  backfillDays: 90,
  pulls: [activitiesPull, ...healthPulls, editedActivitiesPull],
  pollEveryMs: 3 * 3_600_000,
  async account({ http, previous = {} }) {
    const { body } = await openToAll(http.get('/user', undefined, { headers: mediaType('User') }));
    return { providerUserId: new JsonNode(body).at('userID').id(), account: { ...previous } };
  },
  classify: classifyRunkeeper,
};
