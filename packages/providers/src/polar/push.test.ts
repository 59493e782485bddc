import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { AppSubscription, LoginResponse, LoginRequest, RawPush } from '../kit/types/connector.ts';
import { readPolarAccount } from './account.ts';
import { classifyPolar } from './classify.ts';
import { createFakeHttp } from '../kit/testing/fake-http.ts';
import { providerError } from '../kit/http/provider-error.ts';
import { polarPush } from './push.ts';
import { events, ensureWebhook } from './webhook.ts';

const now = new Date('2025-05-15T14:22:30Z');
const application = { clientId: 'client', clientSecret: 'secret' };
const pushOf = (body: object, headers: Record<string, string> = {}): RawPush => ({
  method: 'POST',
  query: {},
  headers,
  body: Buffer.from(JSON.stringify(body)),
});
const exercise = {
  event: 'EXERCISE',
  user_id: 475,
  entity_id: 'aQlC83',
  timestamp: '2025-05-15T14:22:24Z',
  url: 'https://evil.example/v3/exercises/aQlC83',
};

describe('Polar’s notifications', () => {
  it('are accepted only with a signature by the webhook’s own secret', () => {
    const signature = createHmac('sha256', 'hook-secret').update(JSON.stringify(exercise)).digest('hex');
    const signed = pushOf(exercise, { 'polar-webhook-signature': signature });
    const proof = { application, now, subscriptionSecret: 'hook-secret' };
    expect(polarPush.verify(signed, proof)).toBe(true);
    expect(polarPush.verify(signed, { ...proof, subscriptionSecret: 'other' })).toBe(false);
    expect(polarPush.verify(signed, { ...proof, subscriptionSecret: null })).toBe(false);
    expect(polarPush.verify(pushOf({ ...exercise, user_id: 476 }, { 'polar-webhook-signature': signature }), proof)).toBe(false);
  });

  it('name an exercise by its id, and the URL they contain is never followed', () => {
    expect(polarPush.parse(pushOf(exercise)).notices).toEqual([
      { kind: 'object', providerUserId: '475', collection: 'EXERCISE', objectId: 'aQlC83' },
    ]);
  });

  const windowsOf = (body: object) =>
    polarPush.parse(pushOf(body)).notices.map((notice) => (notice.kind === 'changed' ? Object.values(notice.window) : notice.kind));
  const sleep = { event: 'SLEEP', user_id: 475, timestamp: '2025-05-15T05:00:00Z' };

  it('name a day for sleep, as a date or at the end of their URL', () => {
    const day = ['2025-05-14', '2025-05-14'];
    expect(windowsOf({ ...sleep, date: '2025-05-14' })).toEqual([day]);
    expect(windowsOf({ ...sleep, date: '2025-05-14T00:00:00.000' })).toEqual([day]);
    expect(windowsOf({ ...sleep, url: 'https://www.polaraccesslink.com/v3/users/sleep/2025-05-14' })).toEqual([day]);
  });

  it('cover the day of the event and the day before when they name no day', () => {
    const days = ['2025-05-14', '2025-05-15'];
    expect(windowsOf({ ...sleep, event: 'PHYSICAL_INFORMATION' })).toEqual([days]);
    expect(windowsOf({ ...sleep, url: 'https://www.polaraccesslink.com/v3/users/sleep/2025-02-30' })).toEqual([days]);
    expect(windowsOf({ event: 'SLEEP_WISE_ALERTNESS', user_id: 475, from: '2025-05-14', to: '2025-05-15' })).toEqual([]);
  });

  it('accept a ping before the secret is known', () => {
    expect(polarPush.handshake(pushOf({ timestamp: '2025-05-15T14:22:24Z', event: 'PING' }), { verificationCode: null })?.status).toBe(200);
    expect(polarPush.handshake(pushOf(exercise), { verificationCode: null })).toBeNull();
  });
});

/** A portal with webhooks of its own. */
function portalOf(webhooks: { id: string; url: string; events: readonly string[] }[]) {
  const requested: string[] = [];
  const send = async ({ method, path }: LoginRequest): Promise<LoginResponse> => {
    requested.push(`${method} ${path}`);
    const data = method === 'GET' ? webhooks : { id: 'new', signature_secret_key: 'told-once' };
    return { status: method === 'POST' && path === '/webhooks' ? 201 : 200, headers: {}, body: { data }, bytes: Buffer.alloc(0) };
  };
  return { asked: requested, http: { send } };
}

describe('Polar’s webhook', () => {
  const address = { callbackUrl: 'https://here.example/v2/push/polar', verificationCode: 'code' };
  const ours = { id: 'w1', url: address.callbackUrl, events };
  const kept: AppSubscription = { state: { id: 'w1' }, secret: 'kept', renewAt: now };
  const ensure = (http: ReturnType<typeof portalOf>['http'], known: AppSubscription | null) =>
    ensureWebhook({ http, application, address, known, now });

  it('is kept and reactivated while its secret is known', async () => {
    const { asked, http } = portalOf([ours]);
    expect(await ensure(http, kept)).toMatchObject({ state: { id: 'w1' }, secret: 'kept' });
    expect(asked).toEqual(['GET /webhooks', 'POST /webhooks/activate']);
  });

  it('is recreated when its secret is lost or it calls another address', async () => {
    for (const [webhook, known] of [
      [ours, null],
      [ours, { ...kept, secret: null }],
      [{ ...ours, url: 'https://old.example' }, kept],
    ] as const) {
      const { asked, http } = portalOf([webhook]);
      expect(await ensure(http, known)).toMatchObject({ state: { id: 'new' }, secret: 'told-once' });
      expect(asked).toEqual(['GET /webhooks', 'DELETE /webhooks/w1', 'POST /webhooks']);
    }
  });
});

describe('a Polar account', () => {
  const facts = (register: () => unknown) =>
    readPolarAccount({
      http: createFakeHttp(({ method }) => (method === 'POST' ? register() : undefined)),
      grantedScopes: [],
      providerUserId: '475',
    });

  it('is registered, even if it already was, but not when a consent at Polar is missing', async () => {
    expect(await facts(() => ({ 'polar-user-id': 475 }))).toEqual({ providerUserId: '475', account: { clock: [] } });
    const conflict = () => {
      throw providerError('provider_permanent', { status: 409 });
    };
    expect((await facts(conflict)).providerUserId).toBe('475');
    const refused = () => {
      throw providerError('provider_account_state', { status: 403 });
    };
    await expect(facts(refused)).rejects.toMatchObject({ code: 'provider_account_state' });
  });

  it('waits until the exhausted quota resets', () => {
    const headers = { 'ratelimit-limit': '520, 5100', 'ratelimit-usage': '520, 800', 'ratelimit-reset': '120, 40000' };
    expect(classifyPolar({ status: 429, headers, body: undefined })).toEqual({ code: 'provider_rate_limited', retryAfterMs: 120_000 });
  });
});
