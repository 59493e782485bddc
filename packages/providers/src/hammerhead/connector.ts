import { classifyByStatus, connectorDefaults, needs } from '../kit/connector-defaults.ts';
import { configurable } from '../kit/settings.ts';
import { dashboardUrl, hammerheadSettings, hammerheadSlug, hammerheadSourceId, loginRegion, loginUrl } from './hammerhead.ts';
import { createHammerheadPassword } from './password.ts';
import { hammerheadPulls, historyDays } from './pulls.ts';

export const hammerhead = configurable(hammerheadSettings, (values) => ({
  ...connectorDefaults,
  slug: hammerheadSlug,
  name: 'Hammerhead',
  description: 'Rides of the Karoo bike computer, with their FIT files',
  sourceId: hammerheadSourceId,
  authType: 'password',
  endpoints: {
    apiBaseUrl: dashboardUrl,
    regionUrls: { [loginRegion]: loginUrl },
    authorizeUrl: null,
    tokenUrl: null,
    revokeUrl: null,
  },
  password: createHammerheadPassword(values),
  resources: { workouts: needs(), workout_stream: needs() },
  unavailableResources: {
    profile: 'No public client reads the profile.',
  },
  backfillDays: historyDays,
  pulls: hammerheadPulls,
  pollEveryMs: 30 * 60_000,
  async account({ providerUserId = null, previous = {} }) {
    return { providerUserId, account: { ...previous } };
  },
  classify: classifyByStatus,
}));
