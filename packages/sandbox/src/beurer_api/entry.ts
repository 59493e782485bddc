import { createSimulator } from '../kit/create-simulator.ts';
import type { SimulatorEntry } from '../kit/types.ts';
import { beurerDefinition } from './definition.ts';

export const beurerEntry: SimulatorEntry = { slug: 'beurer_api', start: (options) => createSimulator(beurerDefinition, options) };
