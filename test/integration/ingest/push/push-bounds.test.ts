import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { receivePush, pushSegmentOf, rejectUnknownAddress, type PushContext } from '@pulsewire/ingest';
import type { CanonicalRecord } from '@pulsewire/contract';
import { noMetrics, silentLogger } from '@pulsewire/kernel';
import type { Connector, PushNotice } from '@pulsewire/providers';
import { useDatabase } from '../../../support/database.ts';
import { application, sendPush, startIngest, verificationCode, withPush } from '../support/push-harness.ts';
import { cipher, createHarness, samplesOf, today, type Harness } from '../support/harness.ts';

const database = useDatabase();
let harness: Harness;
beforeEach(async () => {
  harness = await createHarness(database.current);
});
afterEach(() => harness.close());

const source = { provider: 'wristband', type: 'watch' };
const workoutOf = (day: string): CanonicalRecord => ({
  kind: 'summary',
  id: randomUUID(),
  resource: 'workouts',
  source,
  calendarDate: day,
  at: Date.parse(`${day}T10:00:00Z`),
  data: { title: 'Run' },
});
const summaryDays = async (userId: string) =>
  (await database.current.sql<{ day: string }[]>`SELECT calendar_date::text AS day FROM summaries WHERE user_id = ${userId}`).map(
    ({ day }) => day,
  );

const pushContext = (segment: string | null): PushContext => ({
  database: database.current,
  jobs: harness.jobs,
  cipher,
  clock: harness.clock,
  logger: silentLogger,
  metrics: noMetrics,
  secretsFor: async () => ({ applications: [{ ...application, teamId: null, segment }], verificationCode: null }),
});

test('rejects an unsigned push at an unknown address without reading its body', async () => {
  const segment = pushSegmentOf(verificationCode, 'wristband', 'platform');
  const unsigned = withPush(harness, { isSigned: false });
  const turned = (connector: Connector, tried: string | null) => rejectUnknownAddress(pushContext(segment), connector, tried);
  expect(await turned(unsigned, segment)).toBeNull();
  expect(await turned(unsigned, 'guessed')).toEqual({ status: 404, body: '' });
  expect(await turned(unsigned, null)).toEqual({ status: 404, body: '' });
  expect(await turned(withPush(harness, { isSigned: true }), null)).toBeNull();
  expect(await turned({ ...unsigned, push: null }, segment)).toEqual({ status: 404, body: '' });
});

describe('a push about something outside the ingestion bounds of the user', () => {
  test('that names objects stores only the one inside the bounds', async () => {
    const dayOf: Record<string, string> = { old: '2025-01-05', late: '2026-03-19', inside: '2026-03-12' };
    const pulls = harness.wristband.connector.pulls.map((pull) => ({
      ...pull,
      async *pullObject({ objectId }: { readonly objectId: string }) {
        yield { version: 1_000_000n, records: [workoutOf(dayOf[objectId] ?? '')], quarantined: [] };
      },
    }));
    const connector = withPush(harness, {}, { pulls });
    const ingest = startIngest(harness, connector);
    const { userId, providerUserId } = await harness.link({ ingestionStart: '2026-03-10', ingestionEnd: '2026-03-15', scopes: ['scale'] });
    for (const objectId of Object.keys(dayOf)) {
      const notice: PushNotice = { kind: 'object', providerUserId, collection: 'body', objectId };
      await sendPush(database.current, harness, connector, [notice]);
    }
    await ingest.drain();
    expect(await summaryDays(userId)).toEqual(['2026-03-12']);
  });

  test('that carries data stores only what lies inside', async () => {
    const steps = (day: string) => ({
      ts: Date.parse(`${day}T10:00:00Z`),
      end: Date.parse(`${day}T10:15:00Z`),
      value: 5,
      timezoneOffset: 0,
    });
    const records: CanonicalRecord[] = [
      workoutOf('2025-01-05'),
      { kind: 'samples', resource: 'steps', source, samples: [steps('2025-01-05'), steps(today)] },
    ];
    const connector = withPush(harness, { map: () => ({ records, quarantined: [] }) });
    const ingest = startIngest(harness, connector);
    const { userId, providerUserId } = await harness.link({ ingestionStart: '2026-03-10', scopes: [] });
    await sendPush(database.current, harness, connector, [{ kind: 'data', providerUserId, collection: 'dailies', payload: {} }]);
    await ingest.drain();
    expect([await samplesOf(database.current, userId), await summaryDays(userId)]).toEqual([1, []]);
  });
});

describe('a connection whose account was not known when it was linked', () => {
  const learning = (id: string): Connector => ({
    ...harness.wristband.connector,
    account: async () => ({ providerUserId: id, account: {} }),
  });

  async function linkNameless() {
    const linked = await harness.link();
    await database.current.sql`UPDATE connections SET provider_user_id = NULL WHERE connection_id = ${linked.connectionId}`;
    return linked;
  }
  const connectionOf = async (connectionId: string) =>
    (await database.current.sql`SELECT provider_user_id, status, error_message FROM connections WHERE connection_id = ${connectionId}`)[0];

  test('is found by pushes as soon as its first pull has read the account id', async () => {
    const connector = learning('told-late');
    const ingest = startIngest(harness, connector);
    const { connectionId } = await linkNameless();
    await ingest.drain();
    expect(await connectionOf(connectionId)).toMatchObject({ provider_user_id: 'told-late', status: 'connected' });
    const context = pushContext(null);
    const body = Buffer.from(JSON.stringify([{ user: 'told-late', collection: 'body', day: today }]));
    await receivePush(context, connector, { method: 'POST', headers: { 'x-signature': application.clientSecret }, query: {}, body });
    harness.wristband.calls.length = 0;
    await ingest.drain();
    expect(harness.wristband.calls.length).toBeGreaterThan(0);
  });

  test('ends in error and pulls nothing when the team forbids duplicate accounts', async () => {
    await database.current.sql`UPDATE teams SET reject_duplicate_connection = true WHERE team_id = ${harness.teamId}`;
    const ingest = startIngest(harness, learning('taken'));
    const first = await harness.link({ providerUserId: 'taken' });
    await ingest.drain();
    const second = await linkNameless();
    harness.wristband.calls.length = 0;
    await ingest.drain();
    expect(await connectionOf(second.connectionId)).toMatchObject({ provider_user_id: null, status: 'error' });
    expect(await connectionOf(first.connectionId)).toMatchObject({ status: 'connected' });
    expect(harness.wristband.calls).toEqual([]);
  });
});
