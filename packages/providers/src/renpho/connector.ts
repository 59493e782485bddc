import { hourMs } from '@pulsewire/kernel';
import { connectorDefaults, needs } from '../kit/connector-defaults.ts';
import { configurable } from '../kit/settings.ts';
import { classifyRenpho, findRenphoRefusal } from './classify.ts';
import { createRenphoPassword } from './password.ts';
import { createPulls, historyDays } from './pulls.ts';
import { appHeadersOf, renphoSettings, renphoSlug, renphoSourceId } from './renpho.ts';

export const renpho = configurable(renphoSettings, (values) => ({
  ...connectorDefaults,
  slug: renphoSlug,
  name: 'Renpho',
  description: 'Scales and measuring tapes',
  sourceId: renphoSourceId,
  authType: 'password',
  endpoints: { apiBaseUrl: 'https://cloud.renpho.com', authorizeUrl: null, tokenUrl: null, revokeUrl: null },
  password: createRenphoPassword(values),
  resources: {
    profile: needs(),
    body: needs(),
    weight: needs(),
    fat: needs(),
    body_mass_index: needs(),
    lean_body_mass: needs(),
    heartrate: needs(),
    waist_circumference: needs(),
  },
  backfillDays: historyDays,
  pulls: createPulls(values),
  // Sessions end within the hour, and each login may log the phone out.
  pollEveryMs: 3 * hourMs,
  account: ({ providerUserId = null, previous = {} }) => Promise.resolve({ providerUserId, account: { ...previous } }),
  authorize: (token, account) => ({
    headers: { ...appHeadersOf(values), token, userId: typeof account['user_id'] === 'string' ? account['user_id'] : '' },
  }),
  classify: classifyRenpho,
  findRefusal: findRenphoRefusal,
}));
