import { createSimulator } from '../kit/create-simulator.ts';
import type { SimulatorEntry } from '../kit/types.ts';
import { renphoDefinition } from './definition.ts';

export const renphoEntry: SimulatorEntry = { slug: 'renpho', start: (options) => createSimulator(renphoDefinition, options) };
