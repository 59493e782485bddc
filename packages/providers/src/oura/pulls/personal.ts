import type { PullSpec } from '../../kit/types/connector.ts';
import { mapPersonal } from '../mappers/map-personal.ts';
import { createContext, pageOf } from '../oura.ts';

export const personalPull: PullSpec = {
  name: 'personal',
  resources: ['profile', 'body', 'weight'],
  requiredScopes: ['personal'],
  // The response has no days, so one call covers any window.
  chunkDays: 365,
  backfillDays: 1,
  rereadDays: 1,
  deletions: { unseen: 'There is one record for as long as there is an account.' },
  collections: [],
  async *pull({ http, user }) {
    const response = await http.get('/v2/usercollection/personal_info');
    yield pageOf(response, mapPersonal(response.body, createContext(user)));
  },
};
