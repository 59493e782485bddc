import { createSimulator } from '../kit/create-simulator.ts';
import type { SimulatorEntry } from '../kit/types.ts';
import { dexcomDefinition } from './definition.ts';

export const dexcomEntry: SimulatorEntry = { slug: 'dexcom', start: (options) => createSimulator(dexcomDefinition, options) };
