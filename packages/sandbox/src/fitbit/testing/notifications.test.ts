import { afterEach, describe, expect, test } from 'vitest';
import { application, startSimulator, type Tokens } from './client.ts';
import { startSubscriber } from './subscriber.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function start(subscriberOptions: Parameters<typeof startSubscriber>[0] = {}) {
  const subscriber = await startSubscriber(subscriberOptions);
  const started = await startSimulator({ batchMs: 5, pushRetryMs: 5 });
  closers.push(() => started.simulator.close(), subscriber.close);
  const register = (verificationCode = 'right') =>
    started.simulator.pushes.registerPush(application.clientId, { callbackUrl: subscriber.url, verificationCode });
  const isVerified = await register();
  const subscribe = (tokens: Tokens, path: string) => started.api(`/1/user/-${path}.json`, tokens, { method: 'POST' });
  return { ...started, subscriber, subscribe, register, isVerified };
}

describe('subscriptions', () => {
  test('returns 201 when new, 200 when it exists, 409 when the stream or the id is taken', async () => {
    const { exchange, subscribe, read } = await start();
    const tokens = await exchange();
    const statuses = [];
    for (const path of [
      '/sleep/apiSubscriptions/1',
      '/sleep/apiSubscriptions/1',
      '/sleep/apiSubscriptions/2',
      '/activities/apiSubscriptions/1',
      '/apiSubscriptions/3',
    ]) {
      statuses.push((await subscribe(tokens, path)).status);
    }
    expect(statuses).toEqual([201, 200, 409, 409, 201]);
    const listed = await read<{ apiSubscriptions: object[] }>('/1/user/-/apiSubscriptions.json', tokens);
    expect(listed.apiSubscriptions).toEqual([
      expect.objectContaining({ collectionType: 'sleep', subscriptionId: '1' }),
      expect.objectContaining({ subscriptionId: '3' }),
    ]);
  });

  test('rejects an id over 50 characters, an unknown collection and a missing scope; forgets removed ones', async () => {
    const { exchange, subscribe, api } = await start();
    const tokens = await exchange('Ada', ['activity']);
    await subscribe(tokens, '/activities/apiSubscriptions/1');
    const remove = () => api('/1/user/-/activities/apiSubscriptions/1.json', tokens, { method: 'DELETE' });
    expect([(await remove()).status, (await remove()).status]).toEqual([204, 404]);
    expect((await subscribe(tokens, `/activities/apiSubscriptions/${'x'.repeat(51)}`)).status).toBe(400);
    expect((await subscribe(tokens, '/steps/apiSubscriptions/1')).status).toBe(400);
    expect((await subscribe(tokens, '/sleep/apiSubscriptions/1')).status).toBe(403);
  });
});

describe('notifications', () => {
  test('new minutes are announced to their subscribers as an array with a valid signature', async () => {
    const { simulator, exchange, subscribe, subscriber } = await start();
    const tokens = await exchange();
    await subscribe(tokens, '/activities/apiSubscriptions/42');
    const outcome = simulator.publish({ account: 'Ada', minutes: 5 });
    expect(outcome.minutesAppeared).toBe(5);
    await simulator.pushes.settled();
    expect(subscriber.bodies).toEqual([
      [{ collectionType: 'activities', date: '2026-11-20', ownerId: tokens.user_id, ownerType: 'user', subscriptionId: '42' }],
    ]);
    expect(subscriber.refused()).toBe(0);
    expect(simulator.statistics().pushes).toEqual({ sent: 1, accepted: 1, failed: 0, dropped: 0 });
  });

  test('changes that come together are sent together, each once', async () => {
    const { simulator, exchange, subscribe, subscriber } = await start();
    await subscribe(await exchange(), '/apiSubscriptions/1');
    for (let step = 0; step < 5; step++) simulator.publish({ account: 'Ada', minutes: 1 });
    await simulator.pushes.settled();
    expect(subscriber.bodies.length).toBe(1);
    expect(subscriber.notices().length).toBe(1);
  });

  test('a failed request is retried and arrives', async () => {
    let requested = 0;
    const { simulator, exchange, subscribe, subscriber } = await start({ status: () => (++requested < 3 ? 500 : 204) });
    await subscribe(await exchange(), '/activities/apiSubscriptions/1');
    simulator.publish({ account: 'Ada', minutes: 1 });
    await simulator.pushes.settled();
    expect([subscriber.refused(), subscriber.notices().length]).toEqual([2, 1]);
  });

  test('a subscriber that keeps failing is disabled until it is registered again', async () => {
    let status = 500;
    const { simulator, exchange, subscribe, subscriber, register } = await start({ status: () => status });
    await subscribe(await exchange(), '/activities/apiSubscriptions/1');
    for (let step = 0; step < 11; step++) {
      simulator.publish({ account: 'Ada', minutes: 1 });
      await simulator.pushes.settled();
    }
    expect(subscriber.refused()).toBe(30);
    expect(simulator.statistics().pushes).toEqual({ sent: 30, accepted: 0, failed: 10, dropped: 1 });
    status = 204;
    expect(await register()).toBe(true);
    simulator.publish({ account: 'Ada', minutes: 1 });
    await simulator.pushes.settled();
    expect(subscriber.notices().length).toBe(1);
  });

  test('a subscriber is verified only when it accepts the right code and rejects a wrong one', async () => {
    const { register, isVerified } = await start();
    expect(isVerified).toBe(true);
    expect(await register('not its code')).toBe(false);
  });

  test.each(['another', 'any'])('nothing is sent to a subscriber that takes %s code', async (code) => {
    const { simulator, exchange, subscribe, subscriber, isVerified } = await start({ code });
    await subscribe(await exchange(), '/activities/apiSubscriptions/1');
    simulator.publish({ account: 'Ada', minutes: 1 });
    await simulator.pushes.settled();
    expect([isVerified, subscriber.notices().length, simulator.statistics().pushes.sent]).toEqual([false, 0, 0]);
  });

  test('a revoked consent is announced without a date, and its tokens and subscriptions end', async () => {
    const { simulator, exchange, subscribe, subscriber, api, refresh } = await start();
    const tokens = await exchange();
    await subscribe(tokens, '/userRevokedAccess/apiSubscriptions/9');
    simulator.accounts[0]?.revoke();
    await simulator.pushes.settled();
    expect(subscriber.notices()).toEqual([
      { collectionType: 'userRevokedAccess', ownerId: tokens.user_id, ownerType: 'user', subscriptionId: '9' },
    ]);
    expect([(await api('/1/user/-/profile.json', tokens)).status, (await refresh(tokens.refresh_token)).status]).toEqual([401, 400]);
    simulator.publish({ account: 'Ada', minutes: 1 });
    await simulator.pushes.settled();
    expect(subscriber.notices().length).toBe(1);
  });
});
