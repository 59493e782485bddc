import { createSimulator } from '../kit/create-simulator.ts';
import type { SimulatorEntry } from '../kit/types.ts';
import { zwiftDefinition } from './definition.ts';

export const zwiftEntry: SimulatorEntry = { slug: 'zwift', start: (options) => createSimulator(zwiftDefinition, options) };
