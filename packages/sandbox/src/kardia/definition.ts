import type { SimulatorDefinition } from '../kit/definition/definition.ts';
import { readApiKey } from './api-keys.ts';
import { callbackRoutes, kardiaPushes } from './callbacks.ts';
import { patientRoutes } from './patients.ts';
import { recordingRoutes } from './recording-routes.ts';

/** Kardia Pro, from the vendor's API reference: the API key of a clinic, its patients, their recordings by cursor, and its callback. */
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
    push: { registration: 'api', isSigned: false, notifiesRevocation: false },
    removes: [],
    deletes: { morning: ['electrocardiogram', 'electrocardiogram_voltage', 'heartrate', 'note'] },
    pages: true,
    truth: true,
    conformanceDays: 10,
  },
  regionPaths: { us: '', eu: '/eu' },
  routes: [...patientRoutes, ...recordingRoutes, ...callbackRoutes],
  push: kardiaPushes,
  readToken: readApiKey,
};
