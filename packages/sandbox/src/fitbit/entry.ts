import type { SimulatorEntry } from '../kit/types.ts';
import { createFitbitSimulator } from './simulator.ts';

export const fitbitEntry: SimulatorEntry = {
  slug: 'fitbit',
  start: (options) => createFitbitSimulator({ ...options, accounts: [], historyDays: 400, batchMs: 1 }),
};
