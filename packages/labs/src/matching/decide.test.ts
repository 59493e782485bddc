import { expect, test } from 'vitest';
import { decide, type Candidate } from './decide.ts';

const order: Candidate = {
  orderId: 'order',
  userId: 'user',
  transactionId: 'transaction',
  status: 'received.walk_in_test.requisition_created',
  isSameLab: true,
  isSameSample: true,
  isSamePatient: true,
  overlap: 'exact',
};
const code = (changes: Partial<Candidate>, isCorrection = false) => decide([{ ...order, ...changes }], isCorrection).code;

test('matches without review only the sample of the right patient in an order that awaits it', () => {
  expect(decide([order], false)).toEqual({ code: 'match_sample_id', order });
  const differences: readonly Partial<Candidate>[] = [
    { isSamePatient: false },
    { status: 'cancelled.walk_in_test.cancelled' },
    { status: 'completed.walk_in_test.completed' },
    { status: 'received.testkit.ordered' },
    { isSameSample: false },
  ];
  for (const changes of differences) expect(decide([{ ...order, ...changes }], false).order).toBeNull();
});

test('accepts a correction for a completed order, but not for a failed or cancelled one', () => {
  expect(code({ status: 'completed.walk_in_test.completed' }, true)).toBe('match_sample_id');
  expect(code({ status: 'failed.walk_in_test.sample_error' }, true)).toBe('match_completed');
  expect(code({ status: 'cancelled.walk_in_test.cancelled' }, true)).toBe('match_cancelled');
});

test('searches by patient when the sample is unknown, at this lab first', () => {
  const other = { ...order, isSameSample: false };
  expect(code({ isSameSample: false })).toBe('match_demo');
  expect(code({ isSameSample: false, isSameLab: false })).toBe('wrong_lab');
  expect(decide([other, { ...other, orderId: 'second' }], false).code).toBe('multiple_demo_match');
  expect(decide([other, { ...other, isSameLab: false }], false).code).toBe('match_demo');
  expect(decide([], false).code).toBe('no_match');
});
