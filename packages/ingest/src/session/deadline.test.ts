import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openDeadline } from './deadline.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a deadline counts work but not waiting, however many calls wait at once', () => {
  const late = new Error('late');
  const deadline = openDeadline(1000, late);
  vi.advanceTimersByTime(600);
  const [first, second] = [deadline.hold(), deadline.hold()];
  vi.advanceTimersByTime(5000);
  first();
  vi.advanceTimersByTime(5000);
  second();
  vi.advanceTimersByTime(399);
  expect(deadline.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(deadline.signal.reason).toBe(late);
});

test('a cleared deadline stays cleared when a wait ends later', () => {
  const deadline = openDeadline(1000, new Error('late'));
  const goOn = deadline.hold();
  deadline.clear();
  goOn();
  vi.advanceTimersByTime(5000);
  expect(deadline.signal.aborted).toBe(false);
});
