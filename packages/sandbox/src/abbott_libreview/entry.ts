import { createSimulator } from '../kit/create-simulator.ts';
import type { SimulatorEntry } from '../kit/types.ts';
import { abbottLibreviewDefinition } from './definition.ts';

export const abbottLibreviewEntry: SimulatorEntry = {
  slug: 'abbott_libreview',
  start: (options) => createSimulator(abbottLibreviewDefinition, options),
};
