import { afterEach, describe, expect, test } from 'vitest';
import { application, startSimulator, type Tokens } from '../testing/client.ts';
import { startSubscriber } from '../testing/subscriber.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function start(subscriberOptions: Parameters<typeof startSubscriber>[0] = {}, notifications = {}) {
  const subscriber = await startSubscriber(subscriberOptions);
  const started = await startSimulator({
    applications: [{ ...application, subscriberUrl: subscriber.url }],
    notifications: { batchMs: 5, retryDelaysMs: [5, 5], deadlineMs: 2000, ...notifications },
  });
  closers.push(() => started.simulator.close(), subscriber.close);
  const subscribe = (tokens: Tokens, path: string) => started.api(`/1/user/-${path}.json`, tokens, { method: 'POST' });
  return { ...started, subscriber, subscribe };
}

describe('subscriptions', () => {
  test('201 when new, 200 when there, 409 when the stream or the id is taken', async () => {
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

  test('a removed one is gone; an id over 50 characters, an unknown collection and a missing scope are refused', async () => {
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
  test('new minutes are announced with a right signature, as an array, to whom subscribed to them', async () => {
    const { simulator, exchange, subscribe, subscriber } = await start();
    const tokens = await exchange();
    await subscribe(tokens, '/activities/apiSubscriptions/42');
    const outcome = simulator.publish({ account: 'Ada', minutes: 5 });
    expect(outcome.minutesAppeared).toBe(5);
    await simulator.notificationsSettled();
    expect(subscriber.bodies).toEqual([
      [{ collectionType: 'activities', date: '2026-11-20', ownerId: tokens.user_id, ownerType: 'user', subscriptionId: '42' }],
    ]);
    expect(subscriber.refused()).toBe(0);
    expect(simulator.statistics()).toMatchObject({
      notifications: { sent: 1, accepted: 1, failed: 0, dropped: 0 },
      verifications: { passed: 1, failed: 0 },
    });
  });

  test('changes that come together are sent together, each once', async () => {
    const { simulator, exchange, subscribe, subscriber } = await start();
    await subscribe(await exchange(), '/apiSubscriptions/1');
    for (let step = 0; step < 5; step++) simulator.publish({ account: 'Ada', minutes: 1 });
    await simulator.notificationsSettled();
    expect(subscriber.bodies.length).toBe(1);
    expect(subscriber.notices().length).toBe(1);
  });

  test('a failed request is repeated and arrives', async () => {
    let asked = 0;
    const { simulator, exchange, subscribe, subscriber } = await start({ status: () => (++asked < 3 ? 500 : 204) });
    await subscribe(await exchange(), '/activities/apiSubscriptions/1');
    simulator.publish({ account: 'Ada', minutes: 1 });
    await simulator.notificationsSettled();
    expect([subscriber.refused(), subscriber.notices().length]).toEqual([2, 1]);
  });

  test('a subscriber that keeps failing is disabled until it is registered again', async () => {
    let status = 500;
    const { simulator, exchange, subscribe, subscriber } = await start({ status: () => status }, { failuresMax: 2, retryDelaysMs: [] });
    await subscribe(await exchange(), '/activities/apiSubscriptions/1');
    for (let step = 0; step < 3; step++) {
      simulator.publish({ account: 'Ada', minutes: 1 });
      await simulator.notificationsSettled();
    }
    expect([simulator.subscriberState('CLIENT'), subscriber.refused()]).toEqual(['disabled', 2]);
    expect(simulator.statistics().notifications).toEqual({ sent: 2, accepted: 0, failed: 2, dropped: 1 });
    status = 204;
    expect((await simulator.registerSubscriber('CLIENT', { url: subscriber.url, verificationCode: 'right' })).isVerified).toBe(true);
    simulator.publish({ account: 'Ada', minutes: 1 });
    await simulator.notificationsSettled();
    expect(subscriber.notices().length).toBe(1);
  });

  test('a subscriber is verified only when it takes the right code and refuses the wrong one', async () => {
    const { simulator, subscriber } = await start();
    const verified = await simulator.registerSubscriber('CLIENT', { url: subscriber.url, verificationCode: 'right' });
    expect(verified).toEqual({ isVerified: true, statusForRightCode: 204, statusForWrongCode: 404 });
    const other = await simulator.registerSubscriber('CLIENT', { url: subscriber.url, verificationCode: 'not its code' });
    expect(other).toEqual({ isVerified: false, statusForRightCode: 404, statusForWrongCode: 404 });
  });

  test.each(['another', 'any'])('nothing is sent to a subscriber that takes %s code', async (code) => {
    const { simulator, exchange, subscribe, subscriber } = await start({ code });
    await subscribe(await exchange(), '/activities/apiSubscriptions/1');
    simulator.publish({ account: 'Ada', minutes: 1 });
    await simulator.notificationsSettled();
    expect([subscriber.notices().length, simulator.statistics().notifications.sent, simulator.subscriberState('CLIENT')]).toEqual([
      0,
      0,
      'unverified',
    ]);
  });

  test('a revoked consent is announced without a date, and its tokens and subscriptions are dead', async () => {
    const { simulator, exchange, subscribe, subscriber, api, refresh } = await start();
    const tokens = await exchange();
    await subscribe(tokens, '/userRevokedAccess/apiSubscriptions/9');
    simulator.accounts[0]?.revoke();
    await simulator.notificationsSettled();
    expect(subscriber.notices()).toEqual([
      { collectionType: 'userRevokedAccess', ownerId: tokens.user_id, ownerType: 'user', subscriptionId: '9' },
    ]);
    expect([(await api('/1/user/-/profile.json', tokens)).status, (await refresh(tokens.refresh_token)).status]).toEqual([401, 400]);
    simulator.publish({ account: 'Ada', minutes: 1 });
    await simulator.notificationsSettled();
    expect(subscriber.notices().length).toBe(1);
  });
});
