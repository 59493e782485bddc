import type { PullSpec } from '../../kit/types/connector.ts';
import { mapAthlete } from '../mappers/map-athlete.ts';
import { createContext } from '../strava.ts';

export const athletePull: PullSpec = {
  name: 'athlete',
  resources: ['profile', 'body', 'weight'],
  requiredScopes: ['read'],
  // Strava returns only the current athlete, so one call covers any window.
  chunkDays: 365,
  backfillDays: 1,
  rereadDays: 1,
  deletions: { unseen: 'There is one athlete for as long as there is an account.' },
  collections: [],
  async *pull({ http, user }) {
    const response = await http.get('/athlete');
    yield { version: response.version, ...mapAthlete(response.body, createContext(user)) };
  },
};
