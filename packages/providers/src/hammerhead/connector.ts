import { passwordDefaults, addressesWithoutOAuth, withoutScopes } from '../kit/connector-defaults.ts';
import { configurable } from '../kit/settings.ts';
import { dashboardUrl, hammerheadSettings, hammerheadSlug, hammerheadSourceId, loginRegion, loginUrl } from './hammerhead.ts';
import { createHammerheadPassword } from './password.ts';
import { hammerheadPulls, historyDays } from './pulls.ts';

export const hammerhead = configurable(hammerheadSettings, (values) => ({
  ...passwordDefaults,
  slug: hammerheadSlug,
  name: 'Hammerhead',
  description: 'Rides of the Karoo bike computer, with their FIT files',
  sourceId: hammerheadSourceId,
  endpoints: addressesWithoutOAuth(dashboardUrl, { regionUrls: { [loginRegion]: loginUrl } }),
  password: createHammerheadPassword(values),
  resources: withoutScopes('workouts', 'workout_stream'),
  unavailableResources: {
    profile: 'No public client reads the profile.',
  },
  backfillDays: historyDays,
  pulls: hammerheadPulls,
  pollEveryMs: 30 * 60_000,
  async account({ providerUserId = null, previous = {} }) {
    return { providerUserId, account: { ...previous } };
  },
}));
