import { createManualClock } from '@pulsewire/kernel';
import { expect, test } from 'vitest';
import { createSimulatorClock } from '../../model/simulator-clock.ts';
import { createQuotaCounter } from './quota.ts';

function quotaAt(time: string, speed: number, limit = 2) {
  const clock = createManualClock(new Date(time));
  return { clock, quota: createQuotaCounter(createSimulatorClock({ clock, speed }), { scope: 'user', requests: limit, perSeconds: 3600 }) };
}

test('reset counts the seconds to the top of the hour', () => {
  const { quota } = quotaAt('2026-11-20T10:23:04Z', 1);
  expect(quota.take('user')).toEqual({ limit: 2, remaining: 1, resetSeconds: 2216, isExceeded: false });
});

test('beyond the limit only this key’s requests are rejected until the hour is over', () => {
  const { quota, clock } = quotaAt('2026-11-20T10:00:00Z', 1);
  for (let request = 0; request < 2; request++) expect(quota.take('user').isExceeded).toBe(false);
  expect(quota.take('user')).toMatchObject({ remaining: 0, resetSeconds: 3600, isExceeded: true });
  expect(quota.take('other').isExceeded).toBe(false);
  clock.advance(3_599_999);
  expect(quota.take('user').isExceeded).toBe(true);
  clock.advance(1);
  expect(quota.take('user').remaining).toBe(1);
});

test('on a faster clock the quota is open again after the announced wait', () => {
  const { quota, clock } = quotaAt('2026-11-20T10:00:17.300Z', 60, 1);
  quota.take('user');
  const { resetSeconds } = quota.take('user');
  expect(resetSeconds).toBe(43);
  clock.advance(resetSeconds * 1000);
  expect(quota.take('user').isExceeded).toBe(false);
});
