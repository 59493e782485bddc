import type { PartnerMaker } from '../directory.ts';
import { simulateScheduling } from './simulated-scheduling.ts';

const reasons = ['No longer interested', 'Scheduled time no longer works', 'Scheduled for wrong patient', 'Other'];

/** Simulated service centers of a lab: slots of 20 minutes, today until five, on later days in the morning. */
export function simulateCenters(slug: string): PartnerMaker {
  return simulateScheduling({
    kind: 'service_center',
    slug,
    tiers: ['appointment-ready'],
    slots: {
      openingOn: (day, today) => ({ from: 7 * 60, to: (day === today ? 17 : 12) * 60, slotMinutes: 20 }),
      noticeMinutes: 30,
      priceMinor: 0,
    },
    reasons,
    assignedAfterMs: 0,
    visitAfterMs: 0,
    visitMs: 0,
    numbersBookings: true,
  });
}
