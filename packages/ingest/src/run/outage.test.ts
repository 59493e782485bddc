import { expect, test } from 'vitest';
import type { Verdict } from '../session/judge-failure.ts';
import { watchForOutage } from './outage.ts';

const failed = (delayMs: number): Verdict => ({ kind: 'retry', errorCode: 'provider_transient', delayMs });
const minute = 60_000;

test('three different pulls that fail in a row make the connection wait for the first of them', () => {
  const outage = watchForOutage();
  expect(outage.note('sleep', failed(3 * minute))).toBeNull();
  expect(outage.note('activity', failed(minute))).toBeNull();
  expect(outage.note('workouts', failed(2 * minute))).toBe(minute);
});

test('a pull that fails for each of its windows does not stop the others', () => {
  const outage = watchForOutage();
  for (let window = 0; window < 10; window++) expect(outage.note('sleep', failed(minute))).toBeNull();
});

test('a window that was read shows that the provider works', () => {
  const outage = watchForOutage();
  outage.note('sleep', failed(minute));
  outage.note('activity', failed(minute));
  expect(outage.note('body', null)).toBeNull();
  expect(outage.note('workouts', failed(minute))).toBeNull();
});

test('failures that are not those of the provider do not count', () => {
  const outage = watchForOutage();
  for (const pull of ['sleep', 'activity', 'workouts'])
    expect(outage.note(pull, { kind: 'give_up', errorCode: 'provider_permanent' })).toBeNull();
});

test("a connection waits an hour after three pulls were refused because of the operator's application", () => {
  const outage = watchForOutage();
  const refused: Verdict = { kind: 'retry', errorCode: 'provider_configuration', delayMs: 360 * minute };
  expect(outage.note('sleep', refused)).toBeNull();
  expect(outage.note('activity', refused)).toBeNull();
  expect(outage.note('workouts', refused)).toBe(60 * minute);
});

test('a connection waits at most five minutes, also when windows were given up', () => {
  const outage = watchForOutage();
  outage.note('sleep', failed(60 * minute));
  outage.note('activity', { kind: 'give_up', errorCode: 'provider_transient' });
  expect(outage.note('workouts', failed(30 * minute))).toBe(5 * minute);
});
