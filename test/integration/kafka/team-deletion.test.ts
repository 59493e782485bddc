import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noMetrics, silentLogger } from '@pulsewire/kernel';
import { connectionOf, createGuardedConsumer, createKafkaClient, type IncomingHeaders } from '@pulsewire/kafka';
import { withEvents } from '@pulsewire/eventlog';
import { compose, type SchedulerService } from '@pulsewire/service-scheduler';
import { drawVersion, writeRecords } from '@pulsewire/store';
import { runAdmin } from '../../../services/standalone/src/admin/run-admin.ts';
import { useDatabase } from '../../support/database.ts';
import { describeKafka } from '../../support/kafka/use-kafka.ts';
import { createHarness, type Harness } from '../ingest/support/harness.ts';
import { failure } from './readers.ts';
import { useKafkaHarness } from './support/kafka-harness.ts';

const graceMs = 8 * 86_400_000;

describeKafka('the deletion of a team', (kafka) => {
  const database = useDatabase({ connectionsMax: 30 });
  const apiHarness = useKafkaHarness(kafka, () => database.current);
  let harness: Harness;
  let scheduler: SchedulerService;
  beforeAll(async () => {
    harness = await createHarness(database.current);
    const days = { logDays: 30, attemptsDays: 90, auditDays: 400, receiptsDays: 30, pushesDays: 6, vaultDays: 14 };
    const encryptionKeys = `1:${randomBytes(32).toString('base64')}`;
    scheduler = await compose(
      { ...apiHarness.config, ...days, databaseUrl: database.url, encryptionKeys },
      {
        providers: { connectorFor: harness.plan.connectorFor, platformApplication: () => null },
        logger: silentLogger,
        metrics: noMetrics,
        clock: harness.clock,
      },
    );
  });
  afterAll(async () => {
    await scheduler.close();
    await harness.close();
  });

  /** A linked user with a summary and the state of a connection in the log. */
  async function linkedUser(): Promise<{ userId: string; teamId: string; summaryId: string }> {
    const { userId, teamId } = await harness.link();
    const summaryId = randomUUID();
    const version = await drawVersion(database.current);
    const summary = { kind: 'summary', id: summaryId, resource: 'activity', calendarDate: '2026-01-05', at: Date.UTC(2026, 0, 5) } as const;
    const records = [{ ...summary, source: { provider: 'fitbit', type: 'watch' }, data: { steps: 7 } }] as const;
    await withEvents(database.current, async (tx, emit) => {
      const owner = { teamId, userId, clientUserId: userId };
      await writeRecords(tx, emit, { owner, version, origin: 'live', sourceId: 3, traceId: null, records });
      const event = failure(userId, 'state');
      const json = event.body.kind === 'json' ? event.body.json : '';
      emit({ ...event, teamId, body: { kind: 'json', json: json.replace('"demo"', '"fitbit"') } });
    });
    return { userId, teamId, summaryId };
  }

  interface Found {
    readonly isNull: boolean;
    readonly headers: IncomingHeaders;
  }

  /** Reads a topic until every key has its tombstone; returns the last record of each key. */
  async function lastOf(topic: string, keys: readonly string[]): Promise<readonly (Found | undefined)[]> {
    const client = createKafkaClient(await connectionOf(apiHarness.config), { logger: silentLogger });
    const found = new Map<string, Found>();
    const consumer = createGuardedConsumer(client, {
      groupId: kafka.uniqueName('state'),
      topic,
      onAssigned() {},
      onRevoked() {},
      capacity: () => true,
      onBatch(_partition, messages) {
        for (const one of messages) found.set(String(one.key), { isNull: one.value === null, headers: one.headers });
      },
    });
    await expect.poll(() => keys.filter((key) => found.get(key)?.isNull), { timeout: 60_000 }).toEqual(keys);
    await consumer.stop();
    await client.close();
    return keys.map((key) => found.get(key));
  }

  const admin = (...words: string[]) => runAdmin(words, { database: database.current, clock: harness.clock, print: () => {} } as never);

  test('writes tombstones for all of its users and an event for each of them', async () => {
    const stopRelay = apiHarness.startRelay();
    const users = [await linkedUser(), await linkedUser()];
    const [{ teamId }] = users as [(typeof users)[number]];
    await apiHarness.relayed();
    expect(await admin('teams', 'delete', teamId, '--force')).toBe(0);
    await scheduler.runJob('erase_teams');
    harness.clock.advance(graceMs);
    await scheduler.runJob('erase_users');
    await scheduler.runJob('erase_teams');
    expect(await database.current.sql`SELECT 1 FROM teams WHERE team_id = ${teamId}`).toHaveLength(0);
    await apiHarness.relayed();
    await stopRelay();

    const summaries = await lastOf(
      apiHarness.kafka.names.summaries,
      users.map(({ summaryId }) => summaryId),
    );
    for (const [index, last] of summaries.entries()) expect(String(last?.headers['user_id'])).toBe(users[index]?.userId);
    await lastOf(
      apiHarness.kafka.names.connections,
      users.map(({ userId }) => `${userId}:fitbit`),
    );
    for (const type of ['user.deleted', 'user.erased']) {
      const reported = await database.current.sql<{ user_id: string }[]>`
        SELECT user_id FROM log_events WHERE team_id = ${teamId} AND event_type = ${type} ORDER BY user_id`;
      expect(reported.map(({ user_id: id }) => id)).toEqual(users.map(({ userId }) => userId).toSorted());
    }
  }, 120_000);
});
