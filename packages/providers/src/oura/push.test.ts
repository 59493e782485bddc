import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { AppSubscriptionCall, LoginRequest, RawPush } from '../kit/types/connector.ts';
import { ouraPush } from './push.ts';
import { dataTypes } from './subscriptions.ts';

const application = { clientId: 'client', clientSecret: 'client-secret' };
const now = new Date('2025-03-04T12:00:00Z');
const proof = { application, subscriptionSecret: null, now };
const body = '{"event_type":"update","data_type":"daily_sleep","object_id":"abc","event_time":"2025-03-04T11:59:58Z","user_id":"u1"}';

function pushOf(text: string, headers: Record<string, string> = {}): RawPush {
  return { method: 'POST', headers, query: {}, body: Buffer.from(text) };
}

function signed(text: string, atSeconds: number, secret = application.clientSecret): RawPush {
  const timestamp = String(atSeconds);
  const signature = createHmac('sha256', secret).update(`${timestamp}${text}`).digest('hex').toUpperCase();
  return pushOf(text, { 'x-oura-timestamp': timestamp, 'x-oura-signature': signature });
}

describe('verify', () => {
  const seconds = Math.floor(now.getTime() / 1000);

  it('accepts the signature over time and exact bytes, in upper or lower case', () => {
    expect(ouraPush.verify(signed(body, seconds), proof)).toBe(true);
    const lower = signed(body, seconds);
    const headers = { ...lower.headers, 'x-oura-signature': String(lower.headers['x-oura-signature']).toLowerCase() };
    expect(ouraPush.verify({ ...lower, headers }, proof)).toBe(true);
  });

  it('matches another implementation of HMAC-SHA256', () => {
    // printf '%s' "1741089600$BODY" | openssl dgst -sha256 -hmac 'client-secret'
    const headers = {
      'x-oura-timestamp': '1741089600',
      'x-oura-signature': '447BCE3F85E6594210F4909CD845E9778CFEDC6E453368F7AE0A18EE68B370AF',
    };
    expect(ouraPush.verify(pushOf(body, headers), proof)).toBe(true);
  });

  it.each([
    ['another body', { ...signed(body, seconds), body: Buffer.from(`${body} `) }],
    ['another secret', signed(body, seconds, 'other')],
    ['a time that is hours old: a replay', signed(body, seconds - 3 * 3600)],
    [
      'another time than the signed one',
      { ...signed(body, seconds), headers: { ...signed(body, seconds).headers, 'x-oura-timestamp': String(seconds + 1) } },
    ],
    ['no time', pushOf(body, { 'x-oura-signature': String(signed(body, seconds).headers['x-oura-signature']) })],
    ['no signature', pushOf(body, { 'x-oura-timestamp': String(seconds) })],
  ])('rejects a notification: %s', (_what, push) => {
    expect(ouraPush.verify(push, proof)).toBe(false);
  });
});

describe('handshake', () => {
  const get = (token: string): RawPush => ({ ...pushOf(''), method: 'GET', query: { verification_token: token, challenge: 'c-1' } });

  it('returns the challenge only to a caller with the right token', () => {
    const secrets = { verificationCode: 'right' };
    expect(ouraPush.handshake(get('right'), secrets)).toEqual({
      status: 200,
      body: '{"challenge":"c-1"}',
      contentType: 'application/json',
    });
    expect(ouraPush.handshake(get('wrong'), secrets)?.status).toBe(401);
    expect(ouraPush.handshake(get('right'), { verificationCode: null })?.status).toBe(401);
    expect(ouraPush.handshake(pushOf(body), secrets)).toBeNull();
  });
});

describe('parse', () => {
  it('returns the document and its data type; a deletion removes it', () => {
    const notice = { providerUserId: 'u1', collection: 'daily_sleep', objectId: 'daily_sleep/abc' };
    expect(ouraPush.parse(pushOf(body)).notices).toEqual([{ kind: 'object', ...notice }]);
    expect(ouraPush.parse(pushOf(body.replace('update', 'delete'))).notices).toEqual([{ kind: 'removed', ...notice }]);
  });

  it('reports unreadable items without their content', () => {
    expect(ouraPush.parse(pushOf('{"event_type":"update"}'))).toEqual({
      notices: [],
      unreadable: [{ reason: 'missing_field', pointer: '/user_id' }],
    });
    expect(() => ouraPush.parse(pushOf('nothing'))).toThrow(expect.objectContaining({ code: 'push_unreadable' }));
  });
});

describe('ensure', () => {
  const address = { callbackUrl: 'https://us.example/v2/push/oura', verificationCode: 'code' };

  async function ensure(existing: readonly object[], statusOf: (request: LoginRequest) => number = () => 200) {
    const requests: LoginRequest[] = [];
    const call: AppSubscriptionCall = {
      application,
      address,
      known: null,
      now,
      http: {
        async send(request) {
          requests.push(request);
          return { status: statusOf(request), headers: {}, body: request.method === 'GET' ? existing : {}, bytes: Buffer.alloc(0) };
        },
      },
    };
    const made = await ouraPush.ensure?.(call);
    return { requests, made, methods: Map.groupBy(requests, ({ method }) => method) };
  }

  const all = (callbackUrl: string, expiration: string) =>
    dataTypes.flatMap((data_type) =>
      ['create', 'update', 'delete'].map((event_type) => ({
        id: `${event_type}-${data_type}`,
        callback_url: callbackUrl,
        event_type,
        data_type,
        expiration_time: expiration,
      })),
    );

  it('subscribes to every event and data type as the application, and checks again in a week', async () => {
    const { methods, made, requests } = await ensure([]);
    expect(methods.get('POST')).toHaveLength(27);
    expect(requests[1]).toMatchObject({ headers: { 'x-client-id': 'client', 'x-client-secret': 'client-secret' } });
    expect(made?.renewAt.toISOString()).toBe('2025-03-11T12:00:00.000Z');
  });

  it('keeps valid subscriptions, and renews those that expire within a month', async () => {
    expect((await ensure(all(address.callbackUrl, '2025-06-01T00:00:00'))).requests).toHaveLength(1);
    const { methods } = await ensure(all(address.callbackUrl, '2025-03-20T00:00:00'));
    expect(methods.get('PUT')).toHaveLength(27);
    expect(methods.get('PUT')?.[0]?.path).toBe('/v2/webhook/subscription/renew/create-daily_activity');
  });

  it('replaces subscriptions that call another address', async () => {
    const { methods } = await ensure(all('https://old.example/push', '2025-06-01T00:00:00Z'));
    expect([methods.get('DELETE')?.length, methods.get('POST')?.length]).toEqual([27, 27]);
  });

  it('skips rejected data types, and recreates a subscription that expired before its renewal', async () => {
    const isSleep = ({ json }: LoginRequest) => (json as { data_type?: string } | undefined)?.data_type === 'sleep';
    const { methods, made } = await ensure([], (request) => (isSleep(request) ? 422 : 200));
    expect(made?.state).toEqual({ subscriptions: 24, refused: ['sleep'] });
    expect(methods.get('POST')?.filter((request) => !isSleep(request))).toHaveLength(24);
    const ended = await ensure(all(address.callbackUrl, '2025-03-01T00:00:00'), ({ method }) => (method === 'PUT' ? 404 : 200));
    expect(ended.methods.get('POST')).toHaveLength(27);
  });

  it('counts an existing pair as created, and fails when every pair is rejected', async () => {
    await expect(ensure([], ({ method }) => (method === 'POST' ? 409 : 200))).resolves.toBeDefined();
    await expect(ensure([], ({ method }) => (method === 'POST' ? 400 : 200))).rejects.toMatchObject({ code: 'provider_permanent' });
    await expect(ensure([], () => 503)).rejects.toMatchObject({ code: 'provider_transient' });
  });
});
