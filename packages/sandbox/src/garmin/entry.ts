import { createSimulator } from '../kit/create-simulator.ts';
import type { SimulatorEntry } from '../kit/types.ts';
import { garminDefinition } from './definition.ts';

export const garminEntry: SimulatorEntry = { slug: 'garmin', start: (options) => createSimulator(garminDefinition, options) };
