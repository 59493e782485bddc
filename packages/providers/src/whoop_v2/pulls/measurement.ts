import type { PullSpec } from '../../kit/types/connector.ts';
import { mapMeasurement } from '../mappers/map-measurement.ts';
import { createContext } from '../whoop.ts';

export const measurementPull: PullSpec = {
  name: 'measurement',
  resources: ['profile', 'body', 'weight'],
  requiredScopes: ['read:body_measurement'],
  // WHOOP returns only the current measurements, so one call covers any window.
  chunkDays: 365,
  backfillDays: 1,
  rereadDays: 1,
  deletions: { unseen: 'There is one record for as long as there is an account.' },
  collections: [],
  async *pull({ http, user }) {
    const response = await http.get('/v2/user/measurement/body');
    yield { version: response.version, ...mapMeasurement(response.body, createContext(user)) };
  },
};
