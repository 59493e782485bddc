import { describe, expect, it } from 'vitest';
import { createZoneFinder, extendZoneHistory } from './zone-history.ts';

describe('extendZoneHistory', () => {
  const home = extendZoneHistory([], 'Europe/Berlin', new Date('2025-05-01T10:00:00Z'));

  it('applies a new zone from the next local day on, so that earlier days keep theirs', () => {
    const history = extendZoneHistory(home, 'America/New_York', new Date('2025-06-10T03:00:00Z'));
    expect(history).toEqual([
      { since: '2025-05-01', time_zone: 'Europe/Berlin' },
      { since: '2025-06-10', time_zone: 'America/New_York' },
    ]);
    const zoneOn = createZoneFinder({ time_zone: 'America/New_York', time_zones: history }, null);
    expect(['2025-04-01', '2025-06-09', '2025-06-10'].map((day) => zoneOn(day).name)).toEqual([
      'Europe/Berlin',
      'Europe/Berlin',
      'America/New_York',
    ]);
  });

  it('adds nothing when the zone is unchanged or unknown', () => {
    const later = new Date('2025-06-10T03:00:00Z');
    expect(extendZoneHistory(home, 'Europe/Berlin', later)).toBe(home);
    expect(extendZoneHistory(home, 'Nowhere/Land', later)).toBe(home);
  });
});

describe('createZoneFinder', () => {
  it('falls back from the account to the user, and from there to the unknown zone', () => {
    expect(createZoneFinder({ time_zone: 'Asia/Tokyo' }, 'Europe/Paris')('2025-05-01').name).toBe('Asia/Tokyo');
    expect(createZoneFinder({ time_zone: 'bad' }, 'Europe/Paris')('2025-05-01').name).toBe('Europe/Paris');
    expect(createZoneFinder({}, null)('2025-05-01').name).toBeNull();
  });

  it('ignores unreadable entries', () => {
    const account = { time_zones: [null, { since: 5 }, { since: '2025-01-01', time_zone: 'Nowhere/Land' }], time_zone: 'Asia/Tokyo' };
    expect(createZoneFinder(account, null)('2025-05-01').name).toBe('Asia/Tokyo');
  });
});
