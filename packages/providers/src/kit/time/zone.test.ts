import { describe, expect, it } from 'vitest';
import { addDays } from './days.ts';
import { parseWallClock } from './time.ts';
import { openUnknownZone, openZone, type LocalInstant, type Zone } from './zone.ts';

function zoneOf(name: string): Zone {
  const zone = openZone(name);
  if (zone === undefined) throw new Error(`no zone ${name}`);
  return zone;
}

function at(zone: Zone, wall: string, near?: string): LocalInstant & { iso: string } {
  const instant = zone.toInstant(parseWallClock(wall) ?? Number.NaN, near === undefined ? undefined : Date.parse(near));
  return { ...instant, iso: new Date(instant.ms).toISOString() };
}

describe('openZone', () => {
  it('uses the offset at the local time, not the current one', () => {
    const berlin = zoneOf('Europe/Berlin');
    expect(at(berlin, '2025-01-15T08:00:00')).toMatchObject({ iso: '2025-01-15T07:00:00.000Z', offset: 3600, kind: 'exact' });
    expect(at(berlin, '2025-07-15T08:00:00')).toMatchObject({ iso: '2025-07-15T06:00:00.000Z', offset: 7200, kind: 'exact' });
  });

  it('is exact on both sides of a change, to the second', () => {
    const berlin = zoneOf('Europe/Berlin');
    expect(at(berlin, '2025-03-30T01:59:59')).toMatchObject({ iso: '2025-03-30T00:59:59.000Z', offset: 3600, kind: 'exact' });
    expect(at(berlin, '2025-03-30T03:00:00')).toMatchObject({ iso: '2025-03-30T01:00:00.000Z', offset: 7200, kind: 'exact' });
  });

  it('moves a time that clocks skip to after the gap', () => {
    const berlin = zoneOf('Europe/Berlin');
    expect(at(berlin, '2025-03-30T02:30:00')).toMatchObject({ iso: '2025-03-30T01:30:00.000Z', offset: 7200, kind: 'gap' });
  });

  it('takes the first pass of an hour that clocks show twice', () => {
    const newYork = zoneOf('America/New_York');
    expect(at(newYork, '2025-11-02T01:30:00')).toMatchObject({ iso: '2025-11-02T05:30:00.000Z', offset: -14_400, kind: 'overlap' });
  });

  it('takes the second pass when the expected instant is closer to it', () => {
    const newYork = zoneOf('America/New_York');
    expect(at(newYork, '2025-11-02T01:00:00', '2025-11-02T06:00:00Z')).toMatchObject({ iso: '2025-11-02T06:00:00.000Z', offset: -18_000 });
    expect(at(newYork, '2025-11-02T01:00:00', '2025-11-02T05:00:00Z')).toMatchObject({ iso: '2025-11-02T05:00:00.000Z', offset: -14_400 });
  });

  it('supports offsets that are not whole hours', () => {
    expect(at(zoneOf('Asia/Kathmandu'), '2025-05-01T12:00:00')).toMatchObject({ iso: '2025-05-01T06:15:00.000Z', offset: 20_700 });
    expect(at(zoneOf('Australia/Lord_Howe'), '2025-10-05T02:15:00').kind).toBe('gap');
  });

  it('starts a day at the clock change when clocks skip midnight', () => {
    const saoPaulo = zoneOf('America/Sao_Paulo');
    expect(new Date(saoPaulo.startOfDay('2018-11-04').ms).toISOString()).toBe('2018-11-04T03:00:00.000Z');
    expect(saoPaulo.dayOf(saoPaulo.startOfDay('2018-11-04').ms)).toBe('2018-11-04');
  });

  it('handles a day that a country skipped', () => {
    expect(at(zoneOf('Pacific/Apia'), '2011-12-30T12:00:00')).toMatchObject({ kind: 'gap', offset: 50_400 });
  });

  it.each(['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland', 'Africa/Casablanca', 'America/St_Johns'])(
    'converts every seventh hour of two years back to the same instant in %s',
    (name) => {
      const zone = zoneOf(name);
      const format = new Intl.DateTimeFormat('sv-SE', { timeZone: name, dateStyle: 'short', timeStyle: 'medium' });
      for (let ms = Date.UTC(2024, 0, 1); ms < Date.UTC(2026, 0, 1); ms += 7 * 3_600_000) {
        const wall = format.format(ms);
        const found = zone.toInstant(parseWallClock(wall) ?? Number.NaN, ms);
        expect({ wall, ms: found.ms }).toEqual({ wall, ms });
        expect(zone.dayOf(ms)).toBe(wall.slice(0, 10));
      }
    },
  );

  it('has days of 23 and 25 hours', () => {
    const berlin = zoneOf('Europe/Berlin');
    const hours = (day: string): number => (berlin.startOfDay(addDays(day, 1)).ms - berlin.startOfDay(day).ms) / 3_600_000;
    expect([hours('2025-03-30'), hours('2025-10-26'), hours('2025-05-01')]).toEqual([23, 25, 24]);
  });

  it('returns undefined for an unknown name', () => {
    expect(openZone('Mars/Olympus_Mons')).toBeUndefined();
    expect(openZone('')).toBeUndefined();
  });
});

describe('openUnknownZone', () => {
  it('reads clocks as UTC and claims no offset', () => {
    expect(at(openUnknownZone(), '2025-05-01T12:00:00')).toMatchObject({ iso: '2025-05-01T12:00:00.000Z', offset: null, kind: 'exact' });
  });
});
