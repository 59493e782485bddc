import { createSimulator } from '../kit/create-simulator.ts';
import type { SimulatorEntry } from '../kit/types.ts';
import { hammerheadDefinition } from './definition.ts';

export const hammerheadEntry: SimulatorEntry = { slug: 'hammerhead', start: (options) => createSimulator(hammerheadDefinition, options) };
