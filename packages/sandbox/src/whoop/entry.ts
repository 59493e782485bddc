import { createSimulator } from '../kit/create-simulator.ts';
import type { SimulatorEntry } from '../kit/types.ts';
import { whoopDefinition } from './definition.ts';

export const whoopEntry: SimulatorEntry = { slug: 'whoop', start: (options) => createSimulator(whoopDefinition, options) };
