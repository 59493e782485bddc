import { describe, expect, it } from 'vitest';
import { autoCancelMs } from './auto-cancel.ts';

const at = (time: string) => new Date(`2026-05-04T${time}:00Z`);
const order: Parameters<typeof autoCancelMs>[0] = {
  status: 'received.at_home_phlebotomy.ordered',
  createdAt: at('06:00'),
  wasScheduled: false,
};
const cancelledAt = (changes: Partial<typeof order>, startAt: Date | null) => autoCancelMs({ ...order, ...changes }, { startAt });

describe('an appointment without a requisition', () => {
  it('is cancelled eight hours after its order, or two hours before the visit', () => {
    expect(cancelledAt({}, at('23:00'))).toBe(at('14:00').getTime());
    expect(cancelledAt({}, at('12:00'))).toBe(at('10:00').getTime());
    expect(cancelledAt({}, null)).toBe(at('14:00').getTime());
  });

  it('is cancelled only two hours before the visit when its order was scheduled', () => {
    expect(cancelledAt({ wasScheduled: true }, at('23:00'))).toBe(at('21:00').getTime());
    expect(cancelledAt({ wasScheduled: true }, null)).toBe(Infinity);
  });

  it('is kept once the requisition exists', () => {
    expect(cancelledAt({ status: 'received.at_home_phlebotomy.requisition_created' }, at('07:00'))).toBe(Infinity);
  });
});
