import { createSimulator } from '../kit/create-simulator.ts';
import type { SimulatorEntry } from '../kit/types.ts';
import { googleFitDefinition } from './definition.ts';

export const googleFitEntry: SimulatorEntry = { slug: 'google_fit', start: (options) => createSimulator(googleFitDefinition, options) };
