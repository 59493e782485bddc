import { createSimulator } from '../kit/create-simulator.ts';
import type { SimulatorEntry } from '../kit/types.ts';
import { pelotonDefinition } from './definition.ts';

export const pelotonEntry: SimulatorEntry = { slug: 'peloton', start: (options) => createSimulator(pelotonDefinition, options) };
