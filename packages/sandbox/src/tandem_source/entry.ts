import { createSimulator } from '../kit/create-simulator.ts';
import type { SimulatorEntry } from '../kit/types.ts';
import { tandemDefinition } from './definition.ts';

export const tandemEntry: SimulatorEntry = { slug: 'tandem_source', start: (options) => createSimulator(tandemDefinition, options) };
