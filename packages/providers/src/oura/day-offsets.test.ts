import { describe, expect, it } from 'vitest';
import { createDayOffsets, type DayStart } from './day-offsets.ts';

const at = (text: string) => Date.parse(text);
const row = (day: string, offset: string): DayStart => ({
  day,
  ms: at(`${day}T04:00:00${offset}`),
  offset: Number(offset.slice(0, 3)) * 3600,
});

describe('createDayOffsets', () => {
  const offsets = createDayOffsets([row('2026-03-08', '-04:00'), row('2026-03-06', '-05:00'), row('2026-03-07', '-05:00')]);

  it('returns the offset of the current day, which begins at 04:00', () => {
    expect(offsets.offsetAt(at('2026-03-07T08:59:59Z'))).toBe(-18_000);
    expect(offsets.offsetAt(at('2026-03-08T08:00:00Z'))).toBe(-14_400);
    expect(offsets.startOf('2026-03-07')?.ms).toBe(at('2026-03-07T09:00:00Z'));
  });

  it('returns null for the night in which the clocks changed at an unknown hour', () => {
    expect(offsets.offsetAt(at('2026-03-08T04:59:00Z'))).toBe(-18_000);
    expect(offsets.offsetAt(at('2026-03-08T05:00:00Z'))).toBeNull();
    expect(offsets.offsetAt(at('2026-03-08T07:59:59Z'))).toBeNull();
  });

  it('returns null before the first row and for days without a row', () => {
    expect(offsets.offsetAt(at('2026-03-06T08:00:00Z'))).toBeNull();
    expect(offsets.offsetAt(at('2026-03-10T08:00:00Z'))).toBeNull();
    expect(createDayOffsets([]).offsetAt(0)).toBeNull();
  });
});
