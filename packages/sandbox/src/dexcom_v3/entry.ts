import { createSimulator } from '../kit/create-simulator.ts';
import type { SimulatorEntry } from '../kit/types.ts';
import { dexcomDefinition } from './definition.ts';

export const dexcomV3Entry: SimulatorEntry = { slug: 'dexcom_v3', start: (options) => createSimulator(dexcomDefinition, options) };
