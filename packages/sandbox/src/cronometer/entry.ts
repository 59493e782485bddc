import { createSimulator } from '../kit/create-simulator.ts';
import type { SimulatorEntry } from '../kit/types.ts';
import { cronometerDefinition } from './definition.ts';

export const cronometerEntry: SimulatorEntry = { slug: 'cronometer', start: (options) => createSimulator(cronometerDefinition, options) };
