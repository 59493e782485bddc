import { createSimulator } from '../kit/create-simulator.ts';
import type { SimulatorEntry } from '../kit/types.ts';
import { eightSleepDefinition } from './definition.ts';

export const eightSleepEntry: SimulatorEntry = { slug: 'eight_sleep', start: (options) => createSimulator(eightSleepDefinition, options) };
