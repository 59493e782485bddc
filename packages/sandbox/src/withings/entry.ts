import { createSimulator } from '../kit/create-simulator.ts';
import type { SimulatorEntry } from '../kit/types.ts';
import { withingsDefinition } from './definition.ts';

export const withingsEntry: SimulatorEntry = { slug: 'withings', start: (options) => createSimulator(withingsDefinition, options) };
