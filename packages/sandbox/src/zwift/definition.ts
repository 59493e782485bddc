import { passwordCapabilities } from '../kit/definition/capabilities.ts';
import type { SimulatorDefinition } from '../kit/definition/definition.ts';
import { withBrokenItem } from '../kit/http/malformed.ts';
import { activityRoutes } from './activities.ts';
import { profileRoutes } from './profiles.ts';
import { tokenRoutes } from './tokens.ts';

/** Zwift, from open clients: a password for tokens, lists without dates, files of parallel lists. */
export const zwiftDefinition: SimulatorDefinition = {
  slug: 'zwift',
  capabilities: {
    ...passwordCapabilities,
    deletes: { workout: ['workouts'] },
    pages: true,
    // More than a page and than a chunk of history.
    conformanceDays: 44,
    // New data is available when the workout of the evening is over.
    newDataMinutes: 13 * 60,
    hasNoRevocationCall: false,
  },
  regionPaths: { api: '', login: '/secure' },
  routes: [...tokenRoutes, ...profileRoutes, ...activityRoutes],
  refuse({ reason, status, message }) {
    if (reason === 'grant_invalid') return { status: 400, body: { error: 'invalid_grant', error_description: message } };
    return { status, body: { message } };
  },
  troubles: {
    activities_hidden: (kind) => (kind === 'activities' ? { status: 404, body: { message: 'Not found' } } : null),
    activity_hidden: (kind) => (kind === 'activity' ? { status: 404, body: { message: 'Not found' } } : null),
  },
  // One of the parallel lists with one more would cost the whole file.
  breakItem: (body) => (Array.isArray(body) ? withBrokenItem(body) : body),
};
