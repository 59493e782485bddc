import { simulateCenters } from '../kit/simulated-center.ts';

/** Simulated service centers of Sonora Quest. */
export const simulatedSonoraQuest = simulateCenters('sonora_quest');
