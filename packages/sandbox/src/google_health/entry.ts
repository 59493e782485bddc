import { createSimulator } from '../kit/create-simulator.ts';
import type { SimulatorEntry } from '../kit/types.ts';
import { googleHealthDefinition } from './definition.ts';

export const googleHealthEntry: SimulatorEntry = {
  slug: 'google_health',
  start: (options) => createSimulator(googleHealthDefinition, options),
};
