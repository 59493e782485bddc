import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { providerError } from '../kit/http/provider-error.ts';
import { createFakeHttp } from '../kit/testing/fake-http.ts';
import type { PullUser, RawPush } from '../kit/types/connector.ts';
import { fitbitPush } from './push.ts';

const application = { clientId: 'client', clientSecret: '123ab4567c123d456e7f8a9b' };
const proof = { application, subscriptionSecret: null, now: new Date() };
const notice = { collectionType: 'activities', date: '2025-05-01', ownerId: 'ABC123', ownerType: 'user', subscriptionId: '42' };

function pushOf(body: string, headers: Record<string, string> = {}): RawPush {
  return { method: 'POST', headers, query: {}, body: Buffer.from(body) };
}

function sign(body: string, secret = application.clientSecret): string {
  return createHmac('sha1', `${secret}&`).update(body).digest('base64');
}

describe('handshake', () => {
  const get = (verify: string | undefined): RawPush => ({ ...pushOf(''), method: 'GET', query: verify === undefined ? {} : { verify } });

  it('responds with 204 to the right code and 404 to a wrong one', () => {
    const secrets = { verificationCode: 'right' };
    expect(fitbitPush.handshake(get('right'), secrets)).toEqual({ status: 204, body: '' });
    expect(fitbitPush.handshake(get('wrong'), secrets)).toEqual({ status: 404, body: '' });
    expect(fitbitPush.handshake(get(''), { verificationCode: null })).toEqual({ status: 404, body: '' });
  });

  it('treats no other request as a handshake', () => {
    expect(fitbitPush.handshake(get(undefined), { verificationCode: 'right' })).toBeNull();
    expect(fitbitPush.handshake({ ...get('right'), method: 'POST' }, { verificationCode: 'right' })).toBeNull();
  });
});

describe('verify', () => {
  const body = JSON.stringify([notice]);

  it('accepts the signature of the exact bytes', () => {
    expect(fitbitPush.verify(pushOf(body, { 'x-fitbit-signature': sign(body) }), proof)).toBe(true);
  });

  it('agrees with another implementation of HMAC-SHA1', () => {
    // printf '%s' "$BODY" | openssl dgst -sha1 -hmac '123ab4567c123d456e7f8a9b&' -binary | base64
    expect(fitbitPush.verify(pushOf(body, { 'x-fitbit-signature': '2dDOsSig+2CmDfzgSsPQaCplzCw=' }), proof)).toBe(true);
  });

  it.each([
    ['another body', { 'x-fitbit-signature': sign(`${body} `) }],
    ['another secret', { 'x-fitbit-signature': sign(body, 'other') }],
    ['a key without the ampersand', { 'x-fitbit-signature': createHmac('sha1', application.clientSecret).update(body).digest('base64') }],
    ['another encoding', { 'x-fitbit-signature': createHmac('sha1', `${application.clientSecret}&`).update(body).digest('hex') }],
    ['an empty signature', { 'x-fitbit-signature': '' }],
    ['no signature', {}],
  ])('rejects a push with %s', (_what, headers: Record<string, string>) => {
    expect(fitbitPush.verify(pushOf(body, headers), proof)).toBe(false);
  });
});

describe('a push crafted to be expensive', () => {
  it('is read up to a number of items; only some of the unreadable ones are listed, the others counted', () => {
    const items = 500_000;
    const { notices, unreadable, leftOut } = fitbitPush.parse(pushOf(`[${'1,'.repeat(items - 1)}1]`));
    expect([notices.length, unreadable.length, leftOut]).toEqual([0, 100, items - 100]);
  });

  it('keeps readable items despite unreadable ones', () => {
    const body = JSON.stringify([...Array.from({ length: 5000 }, () => ({})), notice]);
    expect(fitbitPush.parse(pushOf(body))).toMatchObject({ notices: [{ providerUserId: 'ABC123' }], leftOut: 4900 });
  });

  it('is unreadable when it is nested deeply', () => {
    expect(() => fitbitPush.parse(pushOf('['.repeat(100_000)))).toThrow(
      expect.objectContaining({ code: 'push_unreadable', details: { reason: 'too_deep' } }),
    );
  });

  it('is rejected by its headers when it has no signature', () => {
    const head = (signature?: string) => pushOf('', signature === undefined ? {} : { 'x-fitbit-signature': signature });
    expect([head(), head(''), head('x'.repeat(28))].map((push) => fitbitPush.mayBeValid?.(push))).toEqual([false, false, false]);
    expect(fitbitPush.mayBeValid?.(head(sign('[]')))).toBe(true);
  });
});

describe('a notice with text that cannot be stored', () => {
  it.each([
    ['NUL', '"ABC\\u0000"'],
    ['an unpaired surrogate', '"ABC\\ud800"'],
  ])('is reported as unreadable with its reason: %s', (_what, ownerId) => {
    const body = `[${JSON.stringify(notice)},${JSON.stringify(notice).replace('"ABC123"', ownerId)}]`;
    expect(fitbitPush.parse(pushOf(body))).toMatchObject({
      notices: [{ providerUserId: 'ABC123' }],
      unreadable: [{ reason: 'bad_text', pointer: '/1/ownerId' }],
    });
  });

  it('is reported as unreadable when its bytes are not UTF-8, and never taken for another user', () => {
    const text = JSON.stringify([notice]);
    const at = text.indexOf('ABC123');
    const body = Buffer.concat([Buffer.from(text.slice(0, at)), Buffer.from([0xff]), Buffer.from(text.slice(at))]);
    expect(fitbitPush.parse({ ...pushOf(''), body })).toMatchObject({ notices: [], unreadable: [{ reason: 'bad_text' }] });
  });
});

describe('parse', () => {
  it('returns one notice per user, collection and day', () => {
    const body = [
      notice,
      { ...notice, subscriptionId: '43' },
      { ...notice, collectionType: 'sleep' },
      { collectionType: 'userRevokedAccess', ownerId: 'DEF', ownerType: 'user', subscriptionId: '1' },
    ];
    const window = { startDate: '2025-05-01', endDate: '2025-05-01' };
    const { notices, unreadable } = fitbitPush.parse(pushOf(JSON.stringify(body)));
    expect(unreadable).toEqual([]);
    expect(notices).toEqual([
      { kind: 'changed', providerUserId: 'ABC123', collection: 'activities', window },
      { kind: 'changed', providerUserId: 'ABC123', collection: 'sleep', window },
      { kind: 'revoked', providerUserId: 'DEF' },
    ]);
  });

  it('reads the other notices and reports the pointer of an unreadable one, without its content', () => {
    const body = JSON.stringify([{ ...notice, date: 'secret-date' }, notice, { collectionType: 'newThing', ownerId: 'Q' }]);
    expect(fitbitPush.parse(pushOf(body))).toEqual({
      notices: [expect.objectContaining({ kind: 'changed', providerUserId: 'ABC123' })],
      unreadable: [
        { reason: 'bad_time', pointer: '/0/date' },
        { reason: 'missing_field', pointer: '/2/date' },
      ],
    });
  });

  it('rejects a body that is not a list of notices', () => {
    const unreadable = (reason: string) =>
      expect.objectContaining({ code: 'push_unreadable', details: expect.objectContaining({ reason }) });
    expect(() => fitbitPush.parse(pushOf('not json'))).toThrow(unreadable('not_json'));
    expect(() => fitbitPush.parse(pushOf('{}'))).toThrow(unreadable('unknown_shape'));
  });
});

function recorder(refuse?: Error) {
  const http = createFakeHttp(() => {
    if (refuse !== undefined) throw refuse;
    return undefined;
  });
  return { ...http, made: () => http.calls.map(({ method, path }) => `${method} ${path}`) };
}

describe('subscribe', () => {
  const user: PullUser = {
    userId: 'u',
    fallbackTimeZone: null,
    providerUserId: 'ABC123',
    grantedScopes: ['activity', 'sleep'],
    account: {},
  };
  const subscriptionId = 'b3f0c1de-0000-4000-8000-000000000001';

  it('registers the granted collections and always the revocation, each with its own id', async () => {
    const http = recorder();
    await fitbitPush.subscribe?.({ http, user, subscriptionId, address: null });
    expect(http.made()).toEqual([
      `POST /1/user/-/activities/apiSubscriptions/${subscriptionId}-acti.json`,
      `POST /1/user/-/sleep/apiSubscriptions/${subscriptionId}-slee.json`,
      `POST /1/user/-/userRevokedAccess/apiSubscriptions/${subscriptionId}-user.json`,
    ]);
  });

  it('skips collections already subscribed or not granted, and stops at any other error', async () => {
    for (const refusal of [
      providerError('provider_permanent', { status: 409 }),
      providerError('provider_scope_missing', { status: 403 }),
    ]) {
      const taken = recorder(refusal);
      await fitbitPush.subscribe?.({ http: taken, user, subscriptionId, address: null });
      expect(taken.calls).toHaveLength(3);
    }
    const refused = recorder(providerError('provider_permanent', { status: 400 }));
    await expect(fitbitPush.subscribe?.({ http: refused, user, subscriptionId, address: null })).rejects.toMatchObject({
      code: 'provider_permanent',
    });
    expect(refused.calls).toHaveLength(1);
  });

  it('deletes all subscriptions and ignores missing ones', async () => {
    const http = recorder(providerError('provider_permanent', { status: 404 }));
    await fitbitPush.unsubscribe?.({ http, user, subscriptionId });
    expect(http.calls).toHaveLength(5);
    const closed = recorder(providerError('provider_discontinued', { status: 410 }));
    await expect(fitbitPush.unsubscribe?.({ http: closed, user, subscriptionId })).resolves.toBeUndefined();
    const unwell = recorder(providerError('provider_transient', { status: 503 }));
    await expect(fitbitPush.unsubscribe?.({ http: unwell, user, subscriptionId })).rejects.toMatchObject({ code: 'provider_transient' });
  });
});
