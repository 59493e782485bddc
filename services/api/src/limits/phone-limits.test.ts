import { expect, test } from 'vitest';
import { createManualClock, errorCode } from '@pulsewire/kernel';
import { createPhoneLimits } from './phone-limits.ts';

test('lets one user have two requests at once, whatever others do', async () => {
  const limits = createPhoneLimits(createManualClock(new Date(0)));
  const { promise, resolve } = Promise.withResolvers<void>();
  const held = [limits.run('ann', () => promise), limits.run('ann', () => promise)];
  await expect(limits.run('ann', async () => {})).rejects.toMatchObject({ code: 'phone_busy', kind: 'unavailable' });
  expect(await limits.run('ben', async () => 'served')).toBe('served');
  resolve();
  await Promise.all(held);
  expect(await limits.run('ann', async () => 'served')).toBe('served');
});

test('refuses requests of one user beyond a burst of a hundred, until time has passed', async () => {
  const clock = createManualClock(new Date(0));
  const limits = createPhoneLimits(clock);
  const send = () => limits.run('ann', async () => 'served').catch(errorCode);
  const sent = [];
  for (let i = 0; i < 101; i += 1) sent.push(await send());
  expect([sent.filter((one) => one === 'served').length, sent.at(-1)]).toEqual([100, 'phone_busy']);
  clock.advance(200);
  expect([await send(), await send()]).toEqual(['served', 'phone_busy']);
});
