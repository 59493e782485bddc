import { expect, it } from 'vitest';
import { divideConnections } from './connection-budget.ts';

const auto = { workers: { count: 4, isAuto: true }, connectionsMax: 10, connectionsMin: 2 };

it('gives every worker the pool that is wanted while there are connections for all of them', () => {
  expect(divideConnections(44, auto)).toEqual({ count: 4, connectionsMax: 10 });
});

it('makes pools smaller before it lowers the number of workers, and counts one more connection for each', () => {
  expect(divideConnections(24, auto)).toEqual({ count: 4, connectionsMax: 5 });
  expect(divideConnections(9, auto)).toEqual({ count: 3, connectionsMax: 2 });
  expect(divideConnections(2, auto)).toBeNull();
});

it('refuses a number of workers that an operator has set when their pools do not fit', () => {
  const set = { ...auto, workers: { count: 4, isAuto: false } };
  expect(divideConnections(12, set)).toEqual({ count: 4, connectionsMax: 2 });
  expect(divideConnections(11, set)).toBeNull();
});

it('leaves a pool for each process beside the workers', () => {
  expect(divideConnections(33, { ...auto, others: 1, connectionsMin: 8 })).toEqual({ count: 2, connectionsMax: 10 });
});
