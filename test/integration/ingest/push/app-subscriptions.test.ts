import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pushAddress, readSubscriptionSecrets, wakeAppSubscriptions, type SubscriptionPorts } from '@pulsewire/ingest';
import type { AppSubscriptionCall, Connector, PushSupport } from '@pulsewire/providers';
import { useDatabase } from '../../../support/database.ts';
import { application, sendPush, startIngest, verificationCode, withPush } from '../support/push-harness.ts';
import { createHarness, windowsOf, type Harness } from '../support/harness.ts';
import { providerError } from '../support/wristband.ts';

const database = useDatabase();
let harness: Harness;
beforeEach(async () => {
  harness = await createHarness(database.current);
  await database.current.sql`TRUNCATE push_inbox, app_subscriptions`;
});
afterEach(() => harness.close());

const variant: (push: Partial<PushSupport>, more?: Partial<Connector>) => Connector = (push, more) => withPush(harness, push, more);
const send = (connector: Connector, body: unknown, segment: string | null = null) =>
  sendPush(database.current, harness, connector, body, segment);

describe('a provider that does not sign its pushes', () => {
  test('can push to the unguessable address only', async () => {
    const connector = variant({
      isSigned: false,
      verify: () => true,
      handshake: ({ method }) => (method === 'HEAD' ? { status: 200, body: '' } : null),
    });
    const address = pushAddress(connector, { baseUrl: 'https://api.test/', verificationCode, owner: 'platform' });
    const segment = new URL(address?.callbackUrl ?? '').pathname.split('/').at(-1) ?? '';
    expect(address?.callbackUrl).toBe(`https://api.test/v2/push/wristband/${segment}`);
    expect(segment).toHaveLength(40);
    expect((await send(connector, [], segment)).status).toBe(204);
    expect((await send(connector, [], `${segment.slice(1)}0`)).status).toBe(404);
    expect((await send(connector, [])).status).toBe(404);
    expect(pushAddress(connector, { baseUrl: 'https://api.test', verificationCode, owner: 'team' })?.callbackUrl).not.toBe(
      address?.callbackUrl,
    );
    expect(pushAddress(connector, { baseUrl: 'https://api.test', verificationCode: null, owner: 'platform' })).toBeNull();
  });
});

describe('a subscription of a whole application', () => {
  const dayMs = 86_400_000;
  function subscribing(ensure: NonNullable<PushSupport['ensure']>) {
    const connector = variant({ ensure });
    const { subscribe: _none, unsubscribe: _neither, ...push } = connector.push ?? ({} as PushSupport);
    const ports: SubscriptionPorts = {
      addressOf: () => ({ callbackUrl: 'https://api.test/v2/push/wristband', verificationCode }),
      applicationOf: async (_provider, owner) => (owner === 'platform' ? application : null),
      loginHttpFor: () => ({ send: () => Promise.reject(new Error('not asked')) }),
      seal: (text, row) => Buffer.from(`${row}|${text}`),
      open: (sealed, row) => sealed.toString().slice(row.length + 1),
    };
    return { ingest: startIngest(harness, { ...connector, push }, ports), ports };
  }

  test('is created once for all its users, stored with its sealed secret, and renewed before it expires', async () => {
    const calls: (AppSubscriptionCall['known'] | null)[] = [];
    const { ingest, ports } = subscribing(async ({ known, now }) => {
      calls.push(known);
      return { state: { id: calls.length }, secret: 'signing-secret', renewAt: new Date(now.getTime() + 60 * dayMs) };
    });
    await harness.link();
    await harness.link();
    await ingest.drain();
    expect(calls).toEqual([null]);
    const plans = await database.current.sql`SELECT subscription FROM pull_plans`;
    expect(plans).toEqual([{ subscription: 'active' }, { subscription: 'active' }]);
    expect(await readSubscriptionSecrets(database.current, ports, 'wristband')).toEqual(new Map([['platform', 'signing-secret']]));
    expect(await wakeAppSubscriptions({ ...harness.plan, database: database.current })).toBe(0);
    harness.clock.advance(61 * dayMs);
    expect(await wakeAppSubscriptions({ ...harness.plan, database: database.current })).toBe(1);
    await ingest.drain();
    expect(calls[1]).toMatchObject({ state: { id: 1 }, secret: 'signing-secret' });
  });

  test('that fails is stored with the reason and retried later, and the connection stays connected', async () => {
    let isDown = true;
    const { ingest } = subscribing(async ({ now }) => {
      if (isDown) throw providerError('provider_permanent', { status: 400 });
      return { state: {}, secret: null, renewAt: new Date(now.getTime() + dayMs) };
    });
    const { connectionId } = await harness.link({ scopes: ['scale'] });
    await ingest.drain();
    const [row] = await database.current.sql`SELECT error_code, attempts, renew_at FROM app_subscriptions`;
    expect(row).toEqual({ error_code: 'provider_permanent', attempts: 1, renew_at: null });
    expect((await windowsOf(database.current, connectionId)).every((window) => window.state === 'done')).toBe(true);
    isDown = false;
    harness.clock.advance(3_600_000);
    await wakeAppSubscriptions({ ...harness.plan, database: database.current });
    await ingest.drain();
    const [mended] = await database.current.sql`SELECT error_code, attempts FROM app_subscriptions`;
    expect(mended).toEqual({ error_code: null, attempts: 0 });
  });
});

describe('a pull that declares one lane', () => {
  test('is planned only in that lane', async () => {
    const [moves, scales] = harness.wristband.connector.pulls;
    if (!moves || !scales) throw new Error('No pulls');
    const pulls = [
      { ...moves, lanes: ['backfill' as const] },
      { ...scales, lanes: ['live' as const] },
    ];
    const { connector } = harness.wristband;
    Object.assign(connector, { pulls });
    const { connectionId } = await harness.link();
    const lanes = (await windowsOf(database.current, connectionId)).map(({ pull, lane }) => `${pull} ${lane}`);
    expect(new Set(lanes)).toEqual(new Set(['moves backfill', 'scales live']));
  });
});

describe('a connection whose account was not read yet', () => {
  test('pulls nothing until then, because records depend on the time zone of the account', async () => {
    let isDown = true;
    const connector: Connector = {
      ...harness.wristband.connector,
      async account() {
        if (isDown) throw providerError('provider_transient', { status: 503 });
        return { providerUserId: null, account: { time_zone: 'America/New_York' } };
      },
    };
    const ingest = startIngest(harness, connector);
    const { connectionId } = await harness.link({ scopes: ['scale'] });
    await ingest.drain();
    expect(harness.wristband.calls).toHaveLength(0);
    isDown = false;
    harness.clock.advance(61_000);
    await ingest.drain();
    expect(harness.wristband.calls.length).toBeGreaterThan(0);
    const [row] = await database.current.sql`SELECT account FROM connections WHERE connection_id = ${connectionId}`;
    expect(row).toEqual({ account: { time_zone: 'America/New_York' } });
  });
});
