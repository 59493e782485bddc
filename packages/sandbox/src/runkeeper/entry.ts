import { createSimulator } from '../kit/create-simulator.ts';
import type { SimulatorEntry } from '../kit/types.ts';
import { runkeeperDefinition } from './definition.ts';

export const runkeeperEntry: SimulatorEntry = { slug: 'runkeeper', start: (options) => createSimulator(runkeeperDefinition, options) };
