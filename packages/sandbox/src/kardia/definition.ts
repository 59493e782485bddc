import { passwordCapabilities } from '../kit/definition/capabilities.ts';
import type { SimulatorDefinition } from '../kit/definition/definition.ts';
import { readApiKey } from './api-keys.ts';
import { callbackRoutes, kardiaPushes } from './callbacks.ts';
import { patientRoutes } from './patients.ts';
import { recordingRoutes } from './recording-routes.ts';

/** Kardia Pro, from the vendor's API reference: the API key of a clinic, its patients, their recordings by cursor, and its callback. */
export const kardiaDefinition: SimulatorDefinition = {
  slug: 'kardia',
  capabilities: {
    ...passwordCapabilities,
    regions: ['us', 'eu'],
    // Keys do not expire.
    refresh: false,
    push: { registration: 'api', isSigned: false, notifiesRevocation: false },
    deletes: { morning: ['electrocardiogram', 'electrocardiogram_voltage', 'heartrate', 'note'] },
    pages: true,
    conformanceDays: 10,
  },
  regionPaths: { us: '', eu: '/eu' },
  routes: [...patientRoutes, ...recordingRoutes, ...callbackRoutes],
  push: kardiaPushes,
  readToken: readApiKey,
};
