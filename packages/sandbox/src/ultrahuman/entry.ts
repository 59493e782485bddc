import { createSimulator } from '../kit/create-simulator.ts';
import type { SimulatorEntry } from '../kit/types.ts';
import { ultrahumanDefinition } from './definition.ts';

export const ultrahumanEntry: SimulatorEntry = { slug: 'ultrahuman', start: (options) => createSimulator(ultrahumanDefinition, options) };
