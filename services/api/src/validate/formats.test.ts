import { describe, expect, it } from 'vitest';
import { dateTimeMs, formats, isDateTime, isDay, isTimeZone } from './formats.ts';

describe('formats', () => {
  it('accept only calendar days', () => {
    expect(['2024-02-29', '2026-12-31', '0001-01-01'].map(isDay)).toEqual([true, true, true]);
    expect(['2026-02-29', '2026-04-31', '2026-13-01', '2026-1-1', '26-01-01', '0000-01-01', ''].map(isDay)).not.toContain(true);
  });

  it.each([
    ['2026-01-01T10:00:00Z', '2026-01-01T10:00:00.000Z'],
    ['2026-01-01t10:00:00.25z', '2026-01-01T10:00:00.250Z'],
    ['2026-01-01 10:00:00+02:00', '2026-01-01T08:00:00.000Z'],
    ['2026-01-01T10:00:00-0330', '2026-01-01T13:30:00.000Z'],
    ['2026-01-01T10:00', '2026-01-01T10:00:00.000Z'],
    ['2026-01-01T10:00:00', '2026-01-01T10:00:00.000Z'],
  ])('read the date-time %s as %s', (text, instant) => {
    expect(isDateTime(text)).toBe(true);
    expect(new Date(dateTimeMs(text)).toISOString()).toBe(instant);
  });

  it('reject texts that only look like a date-time', () => {
    expect(
      ['2026-01-01', '2026-01-01T24:00:00Z', '2026-01-01T10:60:00Z', '2026-02-30T10:00:00Z', '10:00', '1735689600'].map(isDateTime),
    ).not.toContain(true);
  });

  it('reject invalid offsets, and instants that an offset moves beyond the calendar', () => {
    const at = (offset: string) => `2026-03-14T10:00:00${offset}`;
    expect([at('+23:59'), at('-1200'), '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'].map(isDateTime)).not.toContain(false);
    expect(
      [at('+99:99'), at('+24:00'), at('-0360'), '0001-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00'].map(isDateTime),
    ).not.toContain(true);
  });

  it('accept URLs of sites and apps, but none that a browser executes or opens by itself', () => {
    const take = (text: string) => 'value' in (formats['uri']?.(text) ?? {});
    expect(['https://app.test/done', 'http://localhost:3000', 'myapp://done', 'com.example.app:/done'].map(take)).not.toContain(false);
    expect(
      [
        'javascript:alert(1)',
        'JavaScript://app.test/%0aalert(1)',
        'java\tscript:alert(1)',
        'data:text/html,x',
        'vbscript:x',
        'file:///etc',
      ].map(take),
    ).not.toContain(true);
  });

  it('accept a date-time at midnight as a day, and explain the refusal of any other', () => {
    expect(formats['date']?.('2026-01-01T00:00:00Z')).toEqual({ value: '2026-01-01' });
    expect(formats['date']?.('2026-01-01T00:00:01Z')).toMatchObject({ type: 'date_from_datetime_inexact' });
    expect(formats['date']?.('tomorrow')).toMatchObject({ type: 'date_from_datetime_parsing' });
  });

  it('accept the zone names of the time zone database', () => {
    expect(['Europe/Lisbon', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5', 'UTC'].map(isTimeZone)).not.toContain(false);
    expect(['Mars/Olympus', '+01:00', 'Europe/', '', 'Europe/Lisbon '].map(isTimeZone)).not.toContain(true);
  });
});
