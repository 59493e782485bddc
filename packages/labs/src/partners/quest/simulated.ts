import { simulateCenters } from '../kit/simulated-center.ts';

/** Simulated service centers of Quest. */
export const simulatedQuest = simulateCenters('quest');
