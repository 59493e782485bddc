import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noMetrics, silentLogger } from '@pulsewire/kernel';
import {
  connectionOf,
  createGuardedConsumer,
  createKafkaClient,
  partitionOf,
  type IncomingHeaders,
  type KafkaConfig,
} from '@pulsewire/kafka';
import { shardOf, withEvents } from '@pulsewire/eventlog';
import { compose, type SchedulerService } from '@pulsewire/service-scheduler';
import { drawVersion, writeRecords } from '@pulsewire/store';
import { useDatabase } from '../../support/database.ts';
import { describeKafka } from '../../support/kafka/use-kafka.ts';
import { createHarness, type Harness } from '../ingest/support/harness.ts';
import { failure } from './readers.ts';
import { useKafkaHarness } from './support/kafka-harness.ts';

const graceMs = 8 * 86_400_000;
const summaryId = '0195c0de-0000-7000-8000-00000000abcd';

describeKafka('the erasure of a user', (kafka) => {
  const database = useDatabase({ connectionsMax: 30 });
  const apiHarness = useKafkaHarness(kafka, () => database.current);
  const encryptionKeys = `1:${randomBytes(32).toString('base64')}`;
  const open: SchedulerService[] = [];
  let harness: Harness;
  beforeAll(async () => {
    harness = await createHarness(database.current);
  });
  afterAll(async () => {
    for (const service of open) await service.close();
    await harness.close();
  });

  async function schedulerFor(config: KafkaConfig): Promise<SchedulerService> {
    const days = { logDays: 30, attemptsDays: 90, auditDays: 400, receiptsDays: 30, pushesDays: 6, vaultDays: 14 };
    const service = await compose(
      { ...config, ...days, databaseUrl: database.url, encryptionKeys },
      {
        providers: { connectorFor: harness.plan.connectorFor, platformApplication: () => null },
        logger: silentLogger,
        metrics: noMetrics,
        clock: harness.clock,
      },
    );
    open.push(service);
    return service;
  }

  /** A deleted user with a summary and a connection that was deregistered, both published. */
  async function deletedUser(): Promise<{ userId: string; teamId: string }> {
    const { userId, teamId } = await harness.link();
    const source = { provider: 'fitbit', type: 'watch' };
    const data = { steps: 7 };
    const records = [
      { kind: 'summary', id: summaryId, resource: 'activity', source, calendarDate: '2026-01-05', at: Date.UTC(2026, 0, 5), data },
    ] as const;
    const version = await drawVersion(database.current);
    await withEvents(database.current, async (tx, emit) => {
      const owner = { teamId, userId, clientUserId: 'someone' };
      await writeRecords(tx, emit, { owner, version, origin: 'live', sourceId: 3, traceId: null, records });
      const event = failure(userId, 'state');
      const json = event.body.kind === 'json' ? event.body.json : '';
      // The second has no connector: a demo, or a source that was linked by hand.
      for (const provider of ['fitbit', 'apple_health_kit'])
        emit({ ...event, body: { kind: 'json', json: json.replace('"demo"', `"${provider}"`) } });
    });
    const { sql } = database.current;
    await sql`DELETE FROM connections WHERE user_id = ${userId}`;
    await sql`UPDATE users SET deleted_at = ${harness.clock.now().toISOString()} WHERE user_id = ${userId}`;
    return { userId, teamId };
  }

  const isThere = async (userId: string) => (await database.current.sql`SELECT 1 FROM users WHERE user_id = ${userId}`).length === 1;

  test('writes tombstones for summaries and connections with user, team and time', async () => {
    const stopRelay = apiHarness.startRelay();
    const { userId, teamId } = await deletedUser();
    await apiHarness.relayed();
    harness.clock.advance(graceMs);
    const scheduler = await schedulerFor(apiHarness.config);
    await scheduler.runJob('erase_users');
    expect(await isThere(userId)).toBe(false);
    await apiHarness.relayed();
    await stopRelay();

    const client = createKafkaClient(await connectionOf(apiHarness.config), { logger: silentLogger });
    const readKey = async (topic: string, key: string) => {
      const found: { partition: number; isNull: boolean; headers: IncomingHeaders }[] = [];
      const consumer = createGuardedConsumer(client, {
        groupId: kafka.uniqueName('state'),
        topic,
        onAssigned() {},
        onRevoked() {},
        capacity: () => true,
        onBatch(partition, messages) {
          for (const one of messages)
            if (String(one.key) === key) found.push({ partition, isNull: one.value === null, headers: one.headers });
        },
      });
      await expect.poll(() => found.length).toBe(2);
      await consumer.stop();
      return found;
    };
    const partition = partitionOf(shardOf(userId), apiHarness.kafka.partitions);
    const ended = [
      { partition, isNull: false },
      { partition, isNull: true },
    ];
    const summary = await readKey(apiHarness.kafka.names.summaries, summaryId);
    expect(summary).toMatchObject(ended);
    const headers = Object.fromEntries(Object.entries(summary[1]?.headers ?? {}).map(([name, value]) => [name, String(value)]));
    expect(headers).toMatchObject({ ce_type: 'data.summaries.removed', user_id: userId, team_id: teamId });
    expect(Number(headers['sequence'])).toBeGreaterThan(Number(String(summary[0]?.headers['sequence'])));
    expect(Date.parse(headers['ce_time'] ?? '')).toBeGreaterThan(0);
    for (const provider of ['fitbit', 'apple_health_kit'])
      expect(await readKey(apiHarness.kafka.names.connections, `${userId}:${provider}`)).toMatchObject(ended);
    await client.close();
  });

  test('erases a user while the brokers are away', async () => {
    const { userId } = await deletedUser();
    harness.clock.advance(graceMs);
    const cutOff = await schedulerFor({ ...apiHarness.config, kafkaBrokers: ['127.0.0.1:1'] });
    await cutOff.runJob('erase_users');
    expect(await isThere(userId)).toBe(false);
  });

  test('leaves nothing to publish or set aside of events not published yet', async () => {
    const { userId } = await deletedUser();
    harness.clock.advance(graceMs);
    const scheduler = await schedulerFor(apiHarness.config);
    await scheduler.runJob('erase_users');
    const stopRelay = apiHarness.startRelay();
    await apiHarness.relayed();
    await stopRelay();
    const events = await database.current.sql<{ event_id: string }[]>`SELECT event_id FROM log_events WHERE user_id = ${userId}`;
    expect(events.length).toBeGreaterThan(0);
    const poison = await database.current.sql<{ event_id: string }[]>`SELECT event_id FROM log_poison`;
    expect(poison.filter(({ event_id: id }) => events.some((event) => event.event_id === id))).toEqual([]);
  });
});
