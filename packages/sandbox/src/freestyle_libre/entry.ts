import { createSimulator } from '../kit/create-simulator.ts';
import type { SimulatorEntry } from '../kit/types.ts';
import { freestyleLibreDefinition } from './definition.ts';

export const freestyleLibreEntry: SimulatorEntry = {
  slug: 'freestyle_libre',
  start: (options) => createSimulator(freestyleLibreDefinition, options),
};
