import { createSimulator } from '../kit/create-simulator.ts';
import type { SimulatorEntry } from '../kit/types.ts';
import { wahooDefinition } from './definition.ts';

export const wahooEntry: SimulatorEntry = { slug: 'wahoo', start: (options) => createSimulator(wahooDefinition, options) };
