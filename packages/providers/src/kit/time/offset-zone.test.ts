import { expect, it } from 'vitest';
import { offsetZoneName } from './offset-zone.ts';
import { openZone } from './zone.ts';

it.each([0, 3600, -14_400, 19_800, -12_600, 50_400])('returns a zone in which no day begins later than at %i seconds east', (offset) => {
  const found = openZone(offsetZoneName(offset))?.toInstant(Date.UTC(2026, 2, 12)).offset;
  expect(found).toBeGreaterThanOrEqual(offset);
  expect(found).toBeLessThan(offset + 3600);
});
