import { expect, test } from 'vitest';
import { createByteBudget } from './byte-budget.ts';

const busy = expect.objectContaining({ code: 'push_capacity_exceeded', kind: 'unavailable', retryable: true });

test('bounds the bytes of one provider, and leaves the rest of the budget to others', () => {
  const budget = createByteBudget({ bytesMax: 100, providerBytesMax: 60 });
  const first = budget.open('fitbit');
  first.add(60);
  expect(() => budget.open('fitbit').add(1)).toThrow(busy);
  budget.open('oura').add(40);
  expect(() => budget.open('polar').add(1)).toThrow(busy);
});

test('releases held bytes once, also after a body was rejected halfway', () => {
  const budget = createByteBudget({ bytesMax: 100, providerBytesMax: 60 });
  const refused = budget.open('fitbit');
  refused.add(50);
  expect(() => refused.add(11)).toThrow(busy);
  refused.release();
  refused.release();
  const next = budget.open('fitbit');
  next.add(60);
  next.remove(10);
  budget.open('fitbit').add(10);
});
