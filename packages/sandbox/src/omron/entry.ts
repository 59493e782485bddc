import { createSimulator } from '../kit/create-simulator.ts';
import type { SimulatorEntry } from '../kit/types.ts';
import { omronDefinition } from './definition.ts';

export const omronEntry: SimulatorEntry = { slug: 'omron', start: (options) => createSimulator(omronDefinition, options) };
