import { createSimulator } from '../kit/create-simulator.ts';
import type { SimulatorEntry } from '../kit/types.ts';
import { myFitnessPalDefinition } from './definition.ts';

export const myFitnessPalEntry: SimulatorEntry = {
  slug: 'my_fitness_pal',
  start: (options) => createSimulator(myFitnessPalDefinition, options),
};
