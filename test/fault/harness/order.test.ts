import { expect, test } from 'vitest';
import { countOrderFaults, type Arrival } from './order.ts';

const arrival = (id: string, sequence: number, isTaken = true, userId = 'anna'): Arrival => ({ id, userId, sequence, isTaken });

test('counts a message that first arrives after a later one of its user', () => {
  expect(countOrderFaults([arrival('b', 2), arrival('a', 1), arrival('c', 3, true, 'ben')])).toEqual({ disorder: 1, overtaken: 0 });
});

test('counts a message that overtakes an earlier one of its user that was refused', () => {
  const refused = [arrival('a', 1, false), arrival('b', 2), arrival('a', 1), arrival('c', 3)];
  expect(countOrderFaults(refused)).toEqual({ disorder: 0, overtaken: 1 });
});

test('does not count repeats', () => {
  expect(countOrderFaults([arrival('a', 1), arrival('b', 2), arrival('a', 1), arrival('b', 2)])).toEqual({ disorder: 0, overtaken: 0 });
});

test('ignores excluded messages: nothing overtakes a refused one that was lost with its server', () => {
  const lost = [arrival('a', 1, false), arrival('b', 2), arrival('c', 3)];
  expect(countOrderFaults(lost)).toEqual({ disorder: 0, overtaken: 2 });
  expect(countOrderFaults(lost, (id) => id !== 'a')).toEqual({ disorder: 0, overtaken: 0 });
});
