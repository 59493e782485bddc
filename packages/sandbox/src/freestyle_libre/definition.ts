import type { SimulatorDefinition } from '../kit/definition/definition.ts';
import { uuidOf } from '../kit/person/uuid-of.ts';
import { dataRoutes } from './data.ts';
import { loginRoutes } from './login.ts';
import { regionPaths } from './regions.ts';
import { readPatientToken } from './patient-tokens.ts';

/** LibreView for a practice, from open clients: one login, patients by id, reports that are created and then fetched. */
export const freestyleLibreDefinition: SimulatorDefinition = {
  slug: 'freestyle_libre',
  capabilities: {
    auth: 'email',
    regions: ['de', 'us', 'gb'],
    refresh: true,
    // A patient can leave a practice; the response of LibreView in that case is unknown.
    revocation: false,
    push: null,
    removes: [],
    pages: false,
    truth: true,
  },
  regionPaths,
  providerUserId: (name) => uuidOf(`libre practice patient:${name}`),
  routes: [...loginRoutes, ...dataRoutes],
  readToken: readPatientToken,
  refuse({ reason, status, message }) {
    if (reason === 'token_invalid' || reason === 'token_expired') return { status: 401, body: { message: 'MissingOrInvalidToken' } };
    return { status, body: { status, message } };
  },
  // Settings and links have no independent items that could be broken.
  breakItem: (body) => body,
};
