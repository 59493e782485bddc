import { simulateCenters } from './kit/simulated-center.ts';
import { simulateScheduling } from './kit/simulated-scheduling.ts';

/** Simulated Phlebfinders: a phlebotomist accepts a request after a minute and sets the time. */
export const simulatedPhlebfinders = simulateScheduling({
  kind: 'phlebotomy',
  slug: 'phlebfinders',
  tiers: ['appointment-request'],
  slots: { openingOn: () => null, noticeMinutes: 0, priceMinor: 0 },
  reasons: [
    'No longer interested',
    'Scheduled time no longer works',
    'Scheduled for wrong patient',
    'Went to lab for appointment',
    'Other',
  ],
  assignedAfterMs: 60_000,
  visitAfterMs: 3 * 86_400_000,
  visitMs: 3_600_000,
  numbersBookings: false,
});

/** Simulated service centers of Quest. */
export const simulatedQuest = simulateCenters('quest');

/** Simulated service centers of Sonora Quest. */
export const simulatedSonoraQuest = simulateCenters('sonora_quest');
