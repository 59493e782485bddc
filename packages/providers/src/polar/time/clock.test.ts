import { describe, expect, it } from 'vitest';
import { JsonNode } from '../../kit/values/json-node.ts';
import { mergePoints, openClock, pointsOf, type NightClock } from './clock.ts';
import { walkClock } from './walk-clock.ts';

const at = (text: string, offsetHours: number) => ({ ms: Date.parse(text), offset: offsetHours * 3600 });
const nightOf = (start: ReturnType<typeof at>, end: ReturnType<typeof at>): NightClock => ({ start, end });
const changeOf = (night: NightClock) => pointsOf([night]).map(({ ms, offset }) => `${new Date(ms).toISOString()} ${offset / 3600}`);

const newYorkSpring = nightOf(at('2026-03-08T04:00:00Z', -5), at('2026-03-08T11:00:00Z', -4));
const newYorkAutumn = nightOf(at('2026-11-01T03:00:00Z', -4), at('2026-11-01T12:00:00Z', -5));
const aucklandAutumn = nightOf(at('2026-04-04T10:25:00Z', 13), at('2026-04-04T18:45:00Z', 12));
const walkIn = (night: NightClock, keys: readonly string[]) =>
  walkClock(
    new JsonNode(Object.fromEntries(keys.map((key) => [key, 1]))),
    { fromMs: night.start.ms, untilMs: night.end.ms, zone: openClock(pointsOf([night]), null) },
    { resource: 'sleep', quarantined: [], read: (node) => node.number() },
  ).map(({ ms }) => new Date(ms).toISOString().slice(11, 16));

describe('the clocks of a user', () => {
  it('change when a zone with the offsets of both ends of the night changed its own', () => {
    expect(changeOf(newYorkSpring)).toEqual(['2026-03-08T04:00:00.000Z -5', '2026-03-08T07:00:00.000Z -4']);
    expect(changeOf(newYorkAutumn)).toEqual(['2026-11-01T03:00:00.000Z -4', '2026-11-01T06:00:00.000Z -5']);
    const helsinki = nightOf(at('2026-03-28T20:00:00Z', 2), at('2026-03-29T04:00:00Z', 3));
    expect(changeOf(helsinki)[1]).toBe('2026-03-29T01:00:00.000Z 3');
    expect(changeOf(aucklandAutumn)[1]).toBe('2026-04-04T14:00:00.000Z 12');
    const lordHowe = nightOf(at('2026-04-04T11:00:00Z', 11), at('2026-04-04T20:00:00Z', 10.5));
    expect(changeOf(lordHowe)[1]).toBe('2026-04-04T15:00:00.000Z 10.5');
  });

  it('change at 02:00 local time where no zone has both offsets, and they differ by an hour', () => {
    const unknown = nightOf(at('2026-05-01T18:00:00Z', 5), at('2026-05-02T01:00:00Z', 6));
    expect(changeOf(unknown)[1]).toBe('2026-05-01T21:00:00.000Z 6');
  });

  it('change in the morning after a night on a flight', () => {
    const flight = nightOf(at('2026-05-01T22:00:00Z', -4), at('2026-05-02T05:00:00Z', 1));
    expect(changeOf(flight)[1]).toBe('2026-05-02T05:00:00.000Z 1');
  });

  it('keep points from earlier reads, so that reread days do not move', () => {
    const known = [at('2026-01-01T00:00:00Z', 1), at('2026-02-01T00:00:00Z', 2), at('2026-03-01T00:00:00Z', 5)];
    const fresh = [at('2026-02-20T00:00:00Z', 2), at('2026-02-25T00:00:00Z', 3)];
    expect(mergePoints(known, fresh)).toEqual([known[0], known[1], fresh[1]]);
    expect(mergePoints(known, [])).toEqual(known);
  });

  it('follow the fallback zone before the first night, else that night, else are unknown', () => {
    const points = [at('2026-03-08T00:00:00Z', 2)];
    const before = Date.parse('2025-07-01T00:00:00Z');
    expect(openClock(points, 'America/New_York').offsetAt(before)).toBe(-14_400);
    expect(openClock(points, null).offsetAt(before)).toBe(7200);
    expect(openClock([], null).offsetAt(before)).toBeNull();
  });
});

describe('keys of wall clocks', () => {
  it('wrap at midnight', () => {
    const night = nightOf(at('2025-04-30T20:39:07Z', 3), at('2025-05-01T04:19:37Z', 3));
    expect(walkIn(night, ['23:39', '23:50', '00:23'])).toEqual(['20:39', '20:50', '21:23']);
  });

  it('jump when the clocks go forward', () => {
    expect(walkIn(newYorkSpring, ['23:00', '01:55', '03:00', '06:30'])).toEqual(['04:00', '06:55', '07:00', '10:30']);
  });

  it('repeat when the clocks go back', () => {
    expect(walkIn(newYorkAutumn, ['23:00', '01:40', '01:10', '02:20'])).toEqual(['03:00', '05:40', '06:10', '07:20']);
    expect(walkIn(aucklandAutumn, ['23:30', '02:40', '02:25', '03:10'])).toEqual(['10:30', '13:40', '14:25', '15:10']);
  });

  it('are rejected when they lie after the night', () => {
    const night = nightOf(at('2025-04-30T20:39:00Z', 3), at('2025-05-01T04:19:00Z', 3));
    expect(() => walkIn(night, ['23:39', '12:00'])).toThrow('cannot be parsed');
  });
});
