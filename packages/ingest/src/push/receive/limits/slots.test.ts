import { expect, test } from 'vitest';
import { createSlots } from './slots.ts';

test('bounds concurrency, admits waiting callers in order, and rejects those that wait too long', async () => {
  const slots = createSlots({ atOnce: 2, waitMs: 20 });
  const first = await slots.take();
  await slots.take();
  const order: string[] = [];
  const third = slots.take().then((release) => (order.push('third'), release));
  const fourth = slots.take().then(() => order.push('fourth'));
  first();
  (await third)();
  await fourth;
  expect(order).toEqual(['third', 'fourth']);
  await expect(slots.take()).rejects.toMatchObject({ code: 'push_capacity_exceeded', kind: 'unavailable' });
});
