import { describe, expect, it } from 'vitest';
import { createManualClock, addDays } from '@pulsewire/kernel';
import { allPartners } from './all-partners.ts';
import { createPartnerDirectory } from './directory.ts';
import { describeScheduling } from './kit/testing/describe-scheduling.ts';
import { localInstant } from './kit/local-time.ts';
import type { SchedulingPartner } from './partner.ts';

const clock = createManualClock(new Date('2026-05-04T12:00:00Z'));
const { partners } = createPartnerDirectory(allPartners, { clock });
const simulated = partners.filter((partner): partner is SchedulingPartner => 'findSlots' in partner && partner.isSimulated);

describe.each(simulated.map((partner) => [partner.slug, partner] as const))('simulated %s', (_slug, partner) => {
  describeScheduling(async () => ({ partner, now: clock.now(), from: '2026-05-05', to: '2026-05-18' }));
});

describe('the partners of an installation', () => {
  it('are found by kind and slug, simulated ones only for sandbox teams', () => {
    const directory = createPartnerDirectory(allPartners, { clock });
    const slugs = simulated.map(({ slug }) => slug);
    expect(slugs).toEqual(['getlabs', 'phlebfinders', 'quest', 'sonora_quest']);
    expect(directory.find('phlebotomy', 'getlabs', { isSandbox: true })?.isSimulated).toBe(true);
    expect(directory.find('phlebotomy', 'getlabs', { isSandbox: false })).toBeNull();
    expect(directory.find('service_center', 'getlabs', { isSandbox: true })).toBeNull();
    expect(() => directory.get('phlebotomy', 'phlebfinders', { isSandbox: false })).toThrow(
      expect.objectContaining({ code: 'partner_not_available' }),
    );
  });
});

describe('local times', () => {
  it.each([
    ['2026-03-08', 'America/New_York', '2026-03-08T12:00:00.000Z'],
    ['2026-03-07', 'America/New_York', '2026-03-07T13:00:00.000Z'],
    ['2026-11-01', 'America/New_York', '2026-11-01T13:00:00.000Z'],
    ['2026-07-01', 'America/Phoenix', '2026-07-01T15:00:00.000Z'],
  ])('eight in the morning of %s in %s is %s', (day, zone, instant) => {
    expect(localInstant(day, 8 * 60, zone).toISOString()).toBe(instant);
    expect(addDays(day, 31) > day).toBe(true);
  });
});
