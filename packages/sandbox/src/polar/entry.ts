import { createSimulator } from '../kit/create-simulator.ts';
import type { SimulatorEntry } from '../kit/types.ts';
import { polarDefinition } from './definition.ts';

export const polarEntry: SimulatorEntry = { slug: 'polar', start: (options) => createSimulator(polarDefinition, options) };
