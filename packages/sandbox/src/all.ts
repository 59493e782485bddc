import { fitbitEntry } from './fitbit/entry.ts';
import type { SimulatorEntry } from './kit/types.ts';
import { ouraEntry } from './oura/entry.ts';

/** Every simulator, one line each. */
export const simulators: readonly SimulatorEntry[] = [fitbitEntry, ouraEntry];
