import { expect, test } from 'vitest';
import { createManualClock } from '@pulsewire/kernel';
import { cacheSecrets } from './secrets-cache.ts';

function counted() {
  const clock = createManualClock(new Date(0));
  const state = { loads: 0, fails: false };
  const secretsFor = cacheSecrets(async () => {
    state.loads += 1;
    if (state.fails) throw new Error('Postgres is away');
    return { applications: [], verificationCode: null };
  }, clock);
  return { clock, state, secretsFor };
}

test('decrypts secrets once for any number of calls within half a minute', async () => {
  const { clock, state, secretsFor } = counted();
  await Promise.all(Array.from({ length: 100 }, () => secretsFor('fitbit')));
  clock.advance(29_000);
  await secretsFor('fitbit');
  expect(state.loads).toBe(1);
  clock.advance(2000);
  await secretsFor('fitbit');
  expect(state.loads).toBe(2);
});

test('decrypts them again for a caller that needs newer ones', async () => {
  const { clock, state, secretsFor } = counted();
  const first = await secretsFor('fitbit');
  expect(await secretsFor('fitbit', 1000)).toBe(first);
  clock.advance(1500);
  expect(await secretsFor('fitbit', 1000)).not.toBe(first);
  expect(state.loads).toBe(2);
});

test('does not cache a failure', async () => {
  const { state, secretsFor } = counted();
  state.fails = true;
  await expect(secretsFor('fitbit')).rejects.toThrow('away');
  state.fails = false;
  await expect(secretsFor('fitbit')).resolves.toBeDefined();
});
