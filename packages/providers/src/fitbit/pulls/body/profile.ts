import type { PullSpec } from '../../../kit/types/connector.ts';
import { createMapContext, pageOf } from '../../context/map-context.ts';
import { mapProfile } from '../../mappers/body/map-profile.ts';

export const profilePull: PullSpec = {
  name: 'profile',
  resources: ['profile'],
  requiredScopes: ['profile'],
  // The profile is not per day: one call, whatever the window.
  chunkDays: 365,
  backfillDays: 1,
  rereadDays: 1,
  collections: [],
  deletions: { unseen: 'There is one profile for as long as there is an account.' },
  async *pull({ http, user }) {
    const response = await http.get('/1/user/-/profile.json');
    yield pageOf(response, mapProfile(response.body, createMapContext(user)));
  },
};
