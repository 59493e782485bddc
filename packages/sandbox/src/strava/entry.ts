import { createSimulator } from '../kit/create-simulator.ts';
import type { SimulatorEntry } from '../kit/types.ts';
import { stravaDefinition } from './definition.ts';

export const stravaEntry: SimulatorEntry = { slug: 'strava', start: (options) => createSimulator(stravaDefinition, options) };
