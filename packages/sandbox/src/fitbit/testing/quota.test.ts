import { expect, test } from 'vitest';
import { startSimulator } from './client.ts';

test('responds 429 with the documented headers beyond the quota, and counts it', async () => {
  const { simulator, exchange, api } = await startSimulator({ requestsPerHour: 1 });
  const tokens = await exchange();
  expect((await api('/1/user/-/profile.json', tokens)).headers.get('fitbit-rate-limit-remaining')).toBe('0');
  const refused = await api('/1/user/-/profile.json', tokens);
  expect([refused.status, refused.headers.get('retry-after'), refused.headers.get('fitbit-rate-limit-limit')]).toEqual([429, '3600', '1']);
  expect(simulator.statistics()).toMatchObject({ quotaBreaches: 1, requests: { profile: { 200: 1, 429: 1 } } });
  await simulator.close();
});
