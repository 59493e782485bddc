import { createSimulator } from '../kit/create-simulator.ts';
import type { SimulatorEntry } from '../kit/types.ts';
import { ihealthDefinition } from './definition.ts';

export const ihealthEntry: SimulatorEntry = { slug: 'ihealth', start: (options) => createSimulator(ihealthDefinition, options) };
