import { simulateScheduling } from '../kit/simulated-scheduling.ts';
import { getlabsReasons } from './reasons.ts';

const isSunday = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay() === 0;

/** Simulated Getlabs: two-hour windows on six days of the week. */
export const simulatedGetlabs = simulateScheduling({
  kind: 'phlebotomy',
  slug: 'getlabs',
  tiers: ['appointment-ready'],
  slots: {
    openingOn: (day) => (isSunday(day) ? null : { from: 6 * 60, to: 16 * 60, slotMinutes: 120 }),
    noticeMinutes: 12 * 60,
    priceMinor: 3500,
  },
  reasons: getlabsReasons,
  assignedAfterMs: 0,
  visitAfterMs: 0,
  visitMs: 0,
  numbersBookings: false,
});
