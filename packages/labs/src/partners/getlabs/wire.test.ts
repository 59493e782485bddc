import { expect, test } from 'vitest';
import { readSlots } from './wire.ts';

const asked = { from: '2026-05-05', to: '2026-05-06', timeZone: 'America/Phoenix' };
const at = (day: string, hour: number) => `2026-05-${day}T${hour}:00:00Z`;

test('slots are read as a list or by day, without those that are booked, incomplete or on other days', () => {
  const flat = readSlots({ slots: [{ id: 7, start: at('05', 16), end: at('05', 18), price: 3500, isPriority: true }] }, asked);
  expect(flat).toMatchObject([{ slotId: '7', startAt: new Date(at('05', 16)), priceMinor: 3500, isPriority: true, available: 1 }]);
  const slots = [
    { key: 'b', start: at('06', 16), end: at('06', 18), price: 7900, priority: true },
    { key: 'a', start: at('05', 16), end: at('05', 18), price: 3500 },
    { key: 'booked', start: at('05', 20), end: at('05', 22), booked: true },
    { key: 'later', start: at('09', 16), end: at('09', 18) },
    { key: 'endless', start: at('05', 16) },
  ];
  const byDay = readSlots({ serviceable: true, tz: 'America/Phoenix', data: [{ date: '2026-05-05', slots }] }, asked);
  expect(byDay.map(({ slotId, isPriority }) => [slotId, isPriority])).toEqual([
    ['a', false],
    ['b', true],
  ]);
  for (const body of [null, [], {}, { data: 'x' }, { data: [null] }]) expect(readSlots(body, asked)).toEqual([]);
});
