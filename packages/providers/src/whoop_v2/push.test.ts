import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createFakeHttp, responsesFor } from '../kit/testing/fake-http.ts';
import type { PulledPage, PullUser, RawPush } from '../kit/types/connector.ts';
import { sleepPull } from './pulls/sleep.ts';
import { whoopPush } from './push.ts';

const application = { clientId: 'client', clientSecret: 'secret' };
const now = new Date('2025-04-02T12:00:00Z');
const proof = { application, subscriptionSecret: null, now };
const night = '6f0c2f4e-1111-4000-8000-000000000001';

function pushOf(body: unknown, sentMs = now.getTime(), secret = application.clientSecret): RawPush {
  const text = JSON.stringify(body);
  const signature = createHmac('sha256', secret).update(`${sentMs}${text}`).digest('base64');
  return {
    method: 'POST',
    query: {},
    headers: { 'x-whoop-signature': signature, 'x-whoop-signature-timestamp': String(sentMs) },
    body: Buffer.from(text),
  };
}
const event = (type: string, id: unknown = night) => ({ user_id: 10129, id, type, trace_id: 'd3709ee7-104e-4f70-a928-2932964b017b' });

describe('verify', () => {
  it('accepts a fresh signature, and rejects one older than five minutes', () => {
    expect(whoopPush.verify(pushOf(event('sleep.updated')), proof)).toBe(true);
    expect(whoopPush.verify(pushOf(event('sleep.updated'), now.getTime() - 299_000), proof)).toBe(true);
    expect(whoopPush.verify(pushOf(event('sleep.updated'), now.getTime() - 301_000), proof)).toBe(false);
  });

  it('rejects another secret, another time, another body, and a missing signature', () => {
    const push = pushOf(event('sleep.updated'));
    const later = { ...push.headers, 'x-whoop-signature-timestamp': String(now.getTime() + 1) };
    expect(whoopPush.verify(pushOf(event('sleep.updated'), now.getTime(), 'other'), proof)).toBe(false);
    expect(whoopPush.verify({ ...push, headers: later }, proof)).toBe(false);
    expect(whoopPush.verify({ ...push, body: Buffer.from('{}') }, proof)).toBe(false);
    expect(whoopPush.verify({ ...push, headers: {} }, proof)).toBe(false);
  });
});

describe('parse', () => {
  it('reads changes and deletions; a recovery causes its night to be reread', () => {
    const noticesOf = (type: string) => whoopPush.parse(pushOf(event(type))).notices;
    const about = { providerUserId: '10129', objectId: night };
    expect(noticesOf('sleep.updated')).toEqual([{ kind: 'object', collection: 'sleep', ...about }]);
    expect(noticesOf('sleep.deleted')).toEqual([{ kind: 'removed', collection: 'sleep', ...about }]);
    expect(noticesOf('workout.deleted')).toEqual([{ kind: 'removed', collection: 'workout', ...about }]);
    expect(noticesOf('recovery.updated')).toEqual([{ kind: 'object', collection: 'recovery', ...about }]);
    expect(noticesOf('recovery.deleted')).toEqual([{ kind: 'object', collection: 'recovery', ...about }]);
    expect(noticesOf('cycle.updated')).toEqual([]);
  });

  it('reports the path of unreadable fields', () => {
    expect(whoopPush.parse(pushOf({ type: 'sleep.updated' })).unreadable).toEqual([{ reason: 'missing_field', pointer: '/user_id' }]);
  });
});

describe('reading the night that a push names', () => {
  const user: PullUser = {
    userId: 'b3f0c1de-0000-4000-8000-000000000001',
    fallbackTimeZone: null,
    providerUserId: '10129',
    grantedScopes: ['read:sleep', 'read:recovery', 'read:cycles'],
    account: {},
  };
  const sleep = {
    id: night,
    cycle_id: 93845,
    user_id: 10129,
    start: '2025-04-02T02:00:00Z',
    end: '2025-04-02T10:00:00Z',
    timezone_offset: '-05:00',
    nap: false,
    score_state: 'SCORED',
    score: { stage_summary: { total_light_sleep_time_milli: 3_600_000 }, respiratory_rate: 16.1 },
  };
  const recovery = { cycle_id: 93845, sleep_id: night, user_id: 10129, score_state: 'SCORED', score: { hrv_rmssd_milli: 31.8 } };

  async function readNight(bodies: Readonly<Record<string, unknown>>, objectId: string, scopes = user.grantedScopes) {
    const http = createFakeHttp(responsesFor(bodies));
    const pages: PulledPage[] = [];
    const call = { http, user: { ...user, grantedScopes: scopes }, objectId, signal: new AbortController().signal };
    for await (const page of sleepPull.pullObject?.(call) ?? []) pages.push(page);
    return { pages, paths: http.paths };
  }
  const resourcesOf = (pages: readonly PulledPage[]) => pages.flatMap(({ records }) => records.map(({ resource }) => resource));

  it('joins the recovery of its cycle, with the version of the older response', async () => {
    const { pages } = await readNight({ [`/v2/activity/sleep/${night}`]: sleep, '/v2/cycle/93845/recovery': recovery }, night);
    expect(resourcesOf(pages)).toEqual(['sleep', 'respiratory_rate', 'hrv']);
    expect(pages.map(({ version }) => version)).toEqual([1n]);
  });

  it('also finds it by a cycle’s integer id, as in older webhooks', async () => {
    const { pages } = await readNight({ '/v2/cycle/93845/sleep': sleep, '/v2/cycle/93845/recovery': recovery }, '93845');
    expect(resourcesOf(pages)).toContain('hrv');
  });

  it('works without a recovery that does not exist yet or was not granted', async () => {
    const path = `/v2/activity/sleep/${night}`;
    expect(resourcesOf((await readNight({ [path]: sleep }, night)).pages)).toEqual(['sleep', 'respiratory_rate']);
    expect((await readNight({ [path]: sleep }, night, ['read:sleep'])).paths).toEqual([path]);
  });

  it('ignores another night of the cycle, and returns nothing for a deleted night', async () => {
    const other = { ...recovery, sleep_id: '6f0c2f4e-1111-4000-8000-000000000009' };
    const { pages } = await readNight({ [`/v2/activity/sleep/${night}`]: sleep, '/v2/cycle/93845/recovery': other }, night);
    expect(resourcesOf(pages)).not.toContain('hrv');
    expect((await readNight({}, night)).pages).toEqual([]);
  });
});
