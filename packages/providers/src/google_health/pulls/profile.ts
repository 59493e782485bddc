import type { PullSpec } from '../../kit/types/connector.ts';
import { readPoints } from '../data-points.ts';
import { createContext, googleScopes } from '../google-health.ts';
import { mapProfile } from '../mappers/map-profile.ts';

export const profilePull: PullSpec = {
  name: 'profile',
  resources: ['profile'],
  requiredScopes: [googleScopes.metrics],
  // One call, whatever the window: the newest height.
  chunkDays: 365,
  backfillDays: 1,
  rereadDays: 1,
  collections: ['height'],
  deletions: { unseen: 'There is one record for as long as there is an account.' },
  async *pull({ http, user }) {
    for await (const response of readPoints(http, { type: 'height', kind: 'sample', window: null })) {
      yield { version: response.version, ...mapProfile(response.body, createContext(user)) };
      return;
    }
  },
};
