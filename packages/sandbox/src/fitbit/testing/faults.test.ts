import { afterEach, expect, test } from 'vitest';
import { errorTypeOf, startSimulator } from './client.ts';

let close: () => Promise<void> = async () => {};
afterEach(() => close());

test('each fault of the API has the effect in its name', async () => {
  const started = await startSimulator();
  close = () => started.simulator.close();
  const { simulator, exchange, api } = started;
  const tokens = await exchange();
  const path = '/1/user/-/activities/steps/date/2026-11-19/1d/1min.json';
  const good = (await (await api(path, tokens)).json()) as { 'activities-steps-intraday': { dataset: { time: string }[] } };

  for (const [kind, status] of [
    ['rate_limited', 429],
    ['http_500', 500],
    ['http_502', 502],
    ['http_503', 503],
  ] as const) {
    simulator.faults.force(kind);
    expect((await api(path, tokens)).status).toBe(status);
  }
  simulator.faults.force('cut');
  await expect(api(path, tokens).then((response) => response.text())).rejects.toThrow();
  simulator.faults.force('malformed_json');
  await expect(api(path, tokens).then((response) => response.json())).rejects.toThrow(SyntaxError);
  simulator.faults.force('malformed_item');
  const odd = (await (await api(path, tokens)).json()) as typeof good;
  const isGood = (point: { time: string }) => /^\d\d:\d\d:\d\d$/.test(point.time);
  const { dataset } = odd['activities-steps-intraday'];
  expect(dataset.length).toBe(good['activities-steps-intraday'].dataset.length + 1);
  expect(dataset.filter(isGood)).toEqual(good['activities-steps-intraday'].dataset);
  simulator.faults.force('token_expired_early');
  expect(await errorTypeOf(await api(path, tokens))).toBe('expired_token');
  expect((await api(path, tokens)).status).toBe(401);
  expect(simulator.faults.counts()).toMatchObject({ cut: 1, malformed_json: 1, malformed_item: 1, token_expired_early: 1 });
  expect(simulator.statistics().requests['activities.intraday']).toMatchObject({ cut: 1 });
});

test('a slow response does not delay closing', async () => {
  const { simulator, exchange, api } = await startSimulator();
  const tokens = await exchange();
  simulator.faults.setSlowMs(600_000);
  simulator.faults.force('slow');
  const waiting = api('/1/user/-/profile.json', tokens).catch(() => 'closed');
  while (simulator.faults.counts().slow !== 1) await new Promise((resolve) => setImmediate(resolve));
  await simulator.close();
  expect(await waiting).toBeDefined();
});
