import { afterAll, expect } from 'vitest';
import { takeViolations, watchLockOrder } from './report-violations.ts';

watchLockOrder();

afterAll(() => {
  expect(takeViolations(), 'A transaction takes locks against the order in packages/database/LOCKS.md').toEqual([]);
});
