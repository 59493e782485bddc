import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { noMetrics, silentLogger, uuidToBase62 } from '@pulsewire/kernel';
import { packSamples } from '@pulsewire/contract';
import { createPostgresLog, shardOf, type LogEvent, type NewEvent } from '@pulsewire/eventlog';
import { connectionOf, createGuardedConsumer, createKafkaClient, headOf, partitionOf, type IncomingHeaders } from '@pulsewire/kafka';
import { useDatabase } from '../../support/database.ts';
import { describeKafka } from '../../support/kafka/use-kafka.ts';
import { detailsOf, failure, teamId, textOf, useReaders } from './readers.ts';
import { useKafkaHarness } from './support/kafka-harness.ts';

function steps(userId: string): NewEvent {
  const at = Date.UTC(2026, 0, 4, 10);
  const samples = [0, 1, 2].map((index) => ({
    ts: at + index * 60_000,
    end: at + (index + 1) * 60_000,
    value: index * 7.5,
    timezoneOffset: 3600,
  }));
  const packed = packSamples({ userId, sourceId: 16, source: { provider: 'garmin', type: 'watch' }, resource: 'steps' }, samples);
  return {
    eventId: randomUUID(),
    eventType: 'daily.data.steps.created',
    teamId,
    userId,
    clientUserId: null,
    origin: 'historical',
    traceId: null,
    body: { kind: 'samples', packed },
  };
}

describeKafka('the harness over Kafka', (kafka) => {
  const database = useDatabase({ connectionsMax: 20 });
  const harness = useKafkaHarness(kafka, () => database.current);
  const { emitAll, join, leave, startRelay, stored } = useReaders(() => database.current, harness);
  const postgresLog = () => createPostgresLog({ database: database.current, logger: silentLogger, metrics: noMetrics, leaseMs: 1500 });

  const without = ({ body: _body, ...head }: LogEvent) => head;

  test('an event read from Kafka equals the one in Postgres byte for byte', async () => {
    const userId = randomUUID();
    startRelay();
    const sink = await join(harness.createLog(), 'same');
    await emitAll([
      steps(userId),
      failure(userId, 'ünïcode  \u0001 "quotes"'),
      { ...failure(teamId, ''), userId: null, clientUserId: null },
    ]);
    await sink.received(3);
    const events = sink.events.filter((event) => event.userId === userId);
    const expected = await stored(userId);
    expect(events.map(without)).toEqual(expected.map(without));
    expect(events.map(textOf)).toEqual(expected.map(textOf));
    // From Kafka, not from Postgres: packed samples come as text.
    expect(events.map(({ body }) => body.kind)).toEqual(['json', 'json']);
  });

  test('records carry CloudEvents headers with the id of the webhook, in the partition of their shard', async () => {
    const userId = randomUUID();
    startRelay();
    const event = failure(userId, 'headers');
    await emitAll([event]);
    await harness.relayed();
    const { promise, resolve } = Promise.withResolvers<{ partition: number; key: string; headers: IncomingHeaders }>();
    const client = createKafkaClient(await connectionOf(harness.config), { logger: silentLogger });
    const consumer = createGuardedConsumer(client, {
      groupId: kafka.uniqueName('peek'),
      topic: harness.kafka.names.events,
      onAssigned() {},
      onRevoked() {},
      capacity: () => true,
      onBatch(partition, messages) {
        for (const { key, headers } of messages) if (key?.toString() === userId) resolve({ partition, key: key.toString(), headers });
      },
    });
    const found = await promise;
    await consumer.stop();
    await client.close();
    expect(found.partition).toBe(partitionOf(shardOf(userId), harness.kafka.partitions));
    const headers = Object.fromEntries(Object.entries(found.headers).map(([name, value]) => [name, String(value)]));
    const id = `msg_${uuidToBase62(event.eventId)}`;
    expect(headers).toMatchObject({
      ce_specversion: '1.0',
      ce_id: id,
      ce_type: event.eventType,
      ce_source: `/teams/${teamId}`,
      ce_subject: userId,
      ce_dataschema: expect.stringMatching(/\/schemas\/ids\/\d+$/),
      team_id: teamId,
      'content-type': 'application/avro',
    });
    expect(headers['traceparent']).toMatch(/^00-a{32}-[0-9a-f]{16}-01$/);
    expect(headOf(found.headers)?.isExact).toBe(true);
  });

  describe('switching', () => {
    test('from Postgres to Kafka and back delivers every event once, in order', async () => {
      const userId = randomUUID();
      const write = (from: number) => emitAll([0, 1, 2, 3, 4].map((index) => failure(userId, String(from + index))));
      const first = await join(postgresLog(), 'switch');
      await write(0);
      await first.received(5);
      await leave(first);
      // Written before any reader or relay exists.
      await write(5);
      startRelay();
      const second = await join(harness.createLog(), 'switch');
      await second.received(5);
      await write(10);
      await second.received(10);
      await leave(second);
      await write(15);
      const third = await join(postgresLog(), 'switch');
      await third.received(5);
      const all = [...first.events, ...second.events, ...third.events].filter((event) => event.userId === userId);
      expect(all.map((event) => detailsOf(event))).toEqual(Array.from({ length: 20 }, (_, index) => String(index)));
      expect(new Set(all.map(({ eventId }) => eventId)).size).toBe(20);
    });

    test('readers on Postgres and Kafka side by side own no shard twice, and Kafka takes over', async () => {
      const userId = randomUUID();
      startRelay();
      const old = await join(postgresLog(), 'rolling');
      const next = await join(harness.createLog(), 'rolling');
      await expect.poll(() => next.consumption?.owned().length, { timeout: 15_000 }).toBe(64);
      await expect.poll(() => old.consumption?.owned().length, { timeout: 5000 }).toBe(0);
      await emitAll([failure(userId, 'a'), failure(userId, 'b')]);
      await next.received(2);
      expect(old.events).toHaveLength(0);
    });
  });

  test('a group reset to an earlier position reads the same events with the same ids', async () => {
    const userId = randomUUID();
    startRelay();
    const first = await join(harness.createLog(), 'replay');
    await emitAll([failure(userId, '0'), failure(userId, '1'), failure(userId, '2')]);
    await first.received(3);
    await leave(first);
    const [, from] = await stored(userId);
    await database.current
      .sql`UPDATE log_positions SET "offset" = ${from?.offset ?? 0} WHERE consumer = 'replay' AND shard = ${shardOf(userId)}`;
    const again = await join(harness.createLog(), 'replay');
    await again.received(2);
    expect(again.events.map(({ eventId }) => eventId)).toEqual(first.events.slice(1).map(({ eventId }) => eventId));
  });

  test('when one of several relays crashes, readers miss and repeat nothing', async () => {
    const users = Array.from({ length: 20 }, () => randomUUID());
    const stopFirst = harness.startRelay();
    startRelay();
    const sink = await join(harness.createLog(), 'relays');
    const write = (round: number) => emitAll(users.map((userId) => failure(userId, String(round))));
    for (let round = 0; round < 5; round++) await write(round);
    await stopFirst();
    for (let round = 5; round < 10; round++) await write(round);
    await sink.received(200);
    for (const userId of users) {
      const rounds = sink.events.filter((event) => event.userId === userId).map((event) => detailsOf(event));
      expect(rounds).toEqual(Array.from({ length: 10 }, (_, round) => String(round)));
    }
  });

  test('events published but not recorded are published again, and readers skip the duplicates', async () => {
    const userId = randomUUID();
    const stop = harness.startRelay();
    await emitAll([failure(userId, '0'), failure(userId, '1')]);
    await harness.relayed();
    await stop();
    await database.current.sql`UPDATE log_positions SET "offset" = "offset" - 2 WHERE consumer = 'relay' AND shard = ${shardOf(userId)}`;
    const sink = await join(harness.createLog(), 'repeat', () => {}, 'start');
    startRelay();
    await harness.relayed();
    await emitAll([failure(userId, '2')]);
    await expect
      .poll(() => sink.events.some((event) => textOf(event).includes('"error_details":"2"') && event.userId === userId), {
        timeout: 10_000,
      })
      .toBe(true);
    expect(sink.events.filter((event) => event.userId === userId).map(({ offset }) => offset)).toEqual(
      (await stored(userId)).map(({ offset }) => offset),
    );
  });
});
