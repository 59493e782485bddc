import { createSimulator } from '../kit/create-simulator.ts';
import type { SimulatorEntry } from '../kit/types.ts';
import { myFitnessPalV2Definition } from './definition.ts';

export const myFitnessPalV2Entry: SimulatorEntry = {
  slug: 'my_fitness_pal_v2',
  start: (options) => createSimulator(myFitnessPalV2Definition, options),
};
