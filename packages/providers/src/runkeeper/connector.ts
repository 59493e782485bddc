import { connectorDefaults, needs } from '../kit/connector-defaults.ts';
import { judgeRevocation } from '../kit/oauth/revoke-token.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import type { Connector, RevocationCall } from '../kit/types/connector.ts';
import { classifyRunkeeper } from './classify.ts';
import { openToAll } from './open-to-all.ts';
import { activitiesPull, editedActivitiesPull } from './pulls/activities.ts';
import { healthPulls } from './pulls/health.ts';
import { mediaType, runkeeperSlug, runkeeperSourceId } from './runkeeper.ts';

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
  resources: {
    workouts: needs(),
    workout_stream: needs(),
    profile: needs(),
    body: needs(),
    weight: needs(),
    fat: needs(),
    body_mass_index: needs(),
    lean_body_mass: needs(),
    activity: needs(),
    steps: needs(),
    blood_pressure: needs(),
  },
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
