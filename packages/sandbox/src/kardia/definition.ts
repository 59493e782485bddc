import type { SimulatorDefinition } from '../kit/definition/definition.ts';
import { readApiKey } from './api-keys.ts';
import { patientRoutes } from './patients.ts';
import { recordingRoutes } from './recording-routes.ts';

/** Kardia Pro, from the vendor's API reference: the API key of a clinic, its patients, and their recordings by cursor. */
export const kardiaDefinition: SimulatorDefinition = {
  slug: 'kardia',
  capabilities: {
    auth: 'password',
    regions: ['us', 'eu'],
    // Keys do not expire.
    refresh: false,
    // A key that the clinic has replaced; no call revokes one.
    revocation: true,
    hasNoRevocationCall: true,
    push: null,
    removes: [],
    deletes: { morning: ['electrocardiogram', 'electrocardiogram_voltage', 'heartrate'] },
    pages: true,
    truth: true,
    conformanceDays: 10,
  },
  regionPaths: { us: '', eu: '/eu' },
  routes: [...patientRoutes, ...recordingRoutes],
  readToken: readApiKey,
};
