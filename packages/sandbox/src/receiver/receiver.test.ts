import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, test } from 'vitest';
import { createReceiver, type ReceiverOptions } from './receiver.ts';
import type { ReceivedEvent } from './types.ts';

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const otherSecret = `whsec_${Buffer.alloc(24, 8).toString('base64')}`;
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function start(options: ReceiverOptions = {}) {
  const events: ReceivedEvent[] = [];
  const receiver = await createReceiver({ secret, onEvent: (event) => events.push(event), ...options });
  closers.push(receiver.close);
  return { receiver, events };
}

async function post(
  url: string,
  {
    id = 'msg_1',
    type = 'daily.data.steps.created',
    signedWith = secret,
    at = new Date(),
    padding = '',
    signal = AbortSignal.timeout(5000),
  } = {},
) {
  const body = JSON.stringify({ event_type: type, data: padding });
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(signedWith).sign(id, at, body),
  };
  return fetch(`${url}/hook`, { method: 'POST', body, headers, redirect: 'manual', signal });
}

test('valid requests are counted by type, and repeats by their id', async () => {
  const startedMs = Date.now();
  const { receiver, events } = await start();
  for (const [id, type] of [
    ['a', 'x'],
    ['b', 'x'],
    ['a', 'x'],
    ['c', 'y'],
  ] as const)
    expect((await post(receiver.url, { id, type })).status).toBe(200);
  expect(receiver.statistics()).toMatchObject({
    received: 4,
    verified: 4,
    rejected: 0,
    accepted: 4,
    repeated: 1,
    byEventType: { x: 3, y: 1 },
  });
  expect(events.map((event) => [event.webhookId, event.isRepeat])).toEqual([
    ['a', false],
    ['b', false],
    ['a', true],
    ['c', false],
  ]);
  expect(events[0]?.arrivedAtMs).toBeGreaterThanOrEqual(startedMs);
  expect(events[0]?.arrivedAtMs).toBeLessThanOrEqual(Date.now());
});

test('wrong secrets, old timestamps and missing headers are rejected and not passed on', async () => {
  const { receiver, events } = await start();
  expect((await post(receiver.url, { signedWith: otherSecret })).status).toBe(401);
  expect((await post(receiver.url, { at: new Date(Date.now() - 6 * 60_000) })).status).toBe(401);
  expect((await fetch(receiver.url, { method: 'POST', body: '{}' })).status).toBe(401);
  expect(receiver.statistics()).toMatchObject({ received: 3, verified: 0, rejected: 3 });
  expect(events).toEqual([]);
});

test('during a rotation both secrets are valid; without a secret every request is rejected', async () => {
  const { receiver } = await start();
  receiver.setSecrets([secret, otherSecret]);
  expect((await post(receiver.url, { signedWith: otherSecret })).status).toBe(200);
  expect((await post(receiver.url, { signedWith: secret })).status).toBe(200);
  receiver.setSecrets([]);
  expect((await post(receiver.url)).status).toBe(401);
});

test('memory is bounded: old ids are forgotten, old bodies dropped, large ones rejected', async () => {
  const { receiver } = await start({ rememberedIdsMax: 2, keptBodiesMax: 1, bodyBytesMax: 1000 });
  for (const id of ['a', 'b', 'c', 'a']) await post(receiver.url, { id });
  expect(receiver.statistics().repeated).toBe(0);
  expect((await post(receiver.url, { padding: 'x'.repeat(2000) })).status).toBe(413);
  const shown = (await (await fetch(receiver.url)).json()) as { lastBodies: string[]; statistics: object };
  expect(shown.lastBodies.length).toBe(1);
  expect(shown.statistics).toMatchObject({ received: 5 });
});

describe('behaviours', () => {
  test('a configured status or redirect is sent, and counts as verified but not accepted', async () => {
    const { receiver } = await start({ behaviour: { kind: 'respond', status: 503 } });
    expect((await post(receiver.url)).status).toBe(503);
    receiver.setBehaviour({ kind: 'redirect', location: 'http://127.0.0.1:1/' });
    expect((await post(receiver.url)).headers.get('location')).toBe('http://127.0.0.1:1/');
    expect(receiver.statistics()).toMatchObject({ verified: 2, accepted: 0 });
  });

  test('a dripping and a hanging response end with the caller or with close', async () => {
    const { receiver } = await start({ behaviour: { kind: 'drip', everyMs: 1, bytes: 5 } });
    expect(await (await post(receiver.url)).text()).toBe('.....');
    receiver.setBehaviour({ kind: 'hang' });
    await expect(post(receiver.url, { signal: AbortSignal.timeout(50) })).rejects.toThrow();
    const hanging = post(receiver.url).catch(() => 'closed');
    while (receiver.statistics().verified < 3) await new Promise((resolve) => setImmediate(resolve));
    await receiver.close();
    expect(await hanging).toBe('closed');
  });
});

test('invalid bodies are counted and accepted, and the first problem is shown', async () => {
  const findProblem = (body: unknown) => {
    const { event_type: type } = body as { event_type: string };
    return type === 'x' ? undefined : `${type} /data: wrong`;
  };
  const { receiver } = await start({ findProblem });
  for (const [id, type] of [
    ['a', 'x'],
    ['b', 'y'],
    ['c', 'z'],
  ] as const)
    expect((await post(receiver.url, { id, type })).status).toBe(200);
  expect(receiver.statistics()).toMatchObject({ accepted: 3, invalid: 2, firstProblem: 'y /data: wrong' });
});
