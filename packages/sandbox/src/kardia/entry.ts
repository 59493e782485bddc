import { createSimulator } from '../kit/create-simulator.ts';
import type { SimulatorEntry } from '../kit/types.ts';
import { kardiaDefinition } from './definition.ts';

export const kardiaEntry: SimulatorEntry = { slug: 'kardia', start: (options) => createSimulator(kardiaDefinition, options) };
