import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { defaultsOf } from '../kit/settings.ts';
import type { LoginRequest, RawPush } from '../kit/types/connector.ts';
import { revokeStrava } from './connector.ts';
import { createStravaPush } from './push.ts';
import { stravaSettings } from './strava.ts';

const stravaPush = createStravaPush(defaultsOf(stravaSettings));
const proof = { application: { clientId: 'client', clientSecret: 'secret' }, now: new Date() };
const event = { object_type: 'activity', object_id: 42, aspect_type: 'create', updates: {}, owner_id: 134815, subscription_id: 77 };

function pushOf(body: unknown, more: Partial<RawPush> = {}): RawPush {
  return { method: 'POST', headers: {}, query: {}, body: Buffer.from(JSON.stringify(body)), ...more };
}

describe('handshake', () => {
  const query = { 'hub.mode': 'subscribe', 'hub.challenge': 'c1', 'hub.verify_token': 'code' };
  const ask = (changed: object, method = 'GET') =>
    stravaPush.handshake(pushOf('', { method, query: { ...query, ...changed } }), { verificationCode: 'code' });

  it('returns the challenge as JSON only to a caller with the right code', () => {
    expect(ask({})).toEqual({ status: 200, body: '{"hub.challenge":"c1"}', contentType: 'application/json' });
    expect(ask({ 'hub.verify_token': 'other' })?.status).toBe(403);
    expect(ask({ 'hub.mode': 'unsubscribe' })?.status).toBe(403);
    expect(ask({}, 'POST')).toBeNull();
  });
});

describe('verify', () => {
  it('requires the id of our subscription once it is known', () => {
    expect(stravaPush.verify(pushOf(event), { ...proof, subscriptionSecret: '77' })).toBe(true);
    expect(stravaPush.verify(pushOf(event), { ...proof, subscriptionSecret: '78' })).toBe(false);
    expect(stravaPush.verify(pushOf(event), { ...proof, subscriptionSecret: null })).toBe(true);
    expect(stravaPush.verify(pushOf({ ...event, subscription_id: null }), { ...proof, subscriptionSecret: null })).toBe(false);
    expect(stravaPush.verify(pushOf(event, { method: 'PUT' }), { ...proof, subscriptionSecret: null })).toBe(false);
  });
});

describe('a signature', () => {
  const strict = createStravaPush({ pushSignature: 'required' });
  const now = new Date('2026-03-12T16:00:00Z');
  const seconds = now.getTime() / 1000;
  const signedAt = (at: number, body: unknown = event, secret = 'secret') =>
    `t=${at},v1=${createHmac('sha256', secret)
      .update(`${at}.${JSON.stringify(body)}`)
      .digest('hex')}`;
  const verify = (push: typeof strict, signature: string | undefined) =>
    push.verify(pushOf(event, { headers: { 'x-strava-signature': signature } }), { ...proof, now, subscriptionSecret: '77' });

  it('is not checked unless the operator requires it', () => {
    expect([undefined, 'nonsense', signedAt(seconds)].map((signature) => verify(stravaPush, signature))).toEqual([true, true, true]);
  });

  it('must be valid and recent when the operator requires it', () => {
    expect(verify(strict, signedAt(seconds - 60))).toBe(true);
    const wrong = [
      undefined,
      '',
      't=1',
      signedAt(seconds, { ...event, owner_id: 1 }),
      signedAt(seconds, event, 'other'),
      signedAt(seconds - 7200),
    ];
    expect(wrong.filter((signature) => verify(strict, signature))).toEqual([]);
  });
});

describe('parse', () => {
  const noticesOf = (changed: object) => stravaPush.parse(pushOf({ ...event, ...changed })).notices;
  const about = { providerUserId: '134815', collection: 'activity', objectId: '42' };

  it('rereads an activity for any change, and removes a deleted one', () => {
    expect(noticesOf({})).toEqual([{ kind: 'object', ...about }]);
    expect(noticesOf({ aspect_type: 'update', updates: { private: 'true' } })).toEqual([{ kind: 'object', ...about }]);
    expect(noticesOf({ aspect_type: 'delete' })).toEqual([{ kind: 'removed', ...about }]);
  });

  it('recognises a withdrawn permission in both observed forms', () => {
    const athlete = { object_type: 'athlete', object_id: 134815 };
    const revoked = [{ kind: 'revoked', providerUserId: '134815' }];
    expect(noticesOf({ ...athlete, aspect_type: 'update', updates: { authorized: 'false' } })).toEqual(revoked);
    expect(noticesOf({ ...athlete, aspect_type: 'delete' })).toEqual(revoked);
    expect(noticesOf({ ...athlete, aspect_type: 'update', updates: { authorized: 'true' } })).toEqual([]);
  });
});

describe('revoke', () => {
  const revoke = async (status: number, revokeUrl: string | null = 'https://www.strava.com/oauth/deauthorize') => {
    const requests: LoginRequest[] = [];
    const http = {
      async send(request: LoginRequest) {
        requests.push(request);
        return { status, headers: {}, body: undefined, bytes: Buffer.alloc(0) };
      },
    };
    const { application } = proof;
    return {
      requests,
      done: await revokeStrava({ http, application, accessToken: 'a1', refreshToken: 'r1', providerUserId: '1', revokeUrl }),
    };
  };

  it('sends the access token, and requests a fresh one when it has expired', async () => {
    const { requests, done } = await revoke(200);
    expect(done).toBe(true);
    expect(requests).toEqual([{ method: 'POST', path: 'https://www.strava.com/oauth/deauthorize', form: { access_token: 'a1' } }]);
    await expect(revoke(401)).rejects.toMatchObject({ code: 'provider_token_expired' });
    expect((await revoke(200, null)).done).toBe(false);
  });
});
