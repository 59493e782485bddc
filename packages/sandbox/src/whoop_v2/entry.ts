import { createSimulator } from '../kit/create-simulator.ts';
import type { SimulatorEntry } from '../kit/types.ts';
import { whoopDefinition } from './definition.ts';

export const whoopV2Entry: SimulatorEntry = { slug: 'whoop_v2', start: (options) => createSimulator(whoopDefinition, options) };
