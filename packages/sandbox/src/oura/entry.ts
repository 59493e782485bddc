import { createSimulator } from '../kit/create-simulator.ts';
import type { SimulatorEntry } from '../kit/types.ts';
import { ouraDefinition } from './definition.ts';

export const ouraEntry: SimulatorEntry = { slug: 'oura', start: (options) => createSimulator(ouraDefinition, options) };
