import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withEvents } from '@pulsewire/eventlog';
import { drawVersion, readGroupedSamples, readSummaries, writeRecords, type RecordOwner } from '@pulsewire/store';
import { configFor, useKafkaHarness } from '../integration/kafka/support/kafka-harness.ts';
import { useDatabase } from '../support/database.ts';
import { describeKafka } from '../support/kafka/use-kafka.ts';
import { Rebuild, followTopic, shownActivity } from './rebuild.ts';

const source = { provider: 'fitbit', type: 'watch' } as const;
const day = Date.UTC(2026, 0, 5);

describeKafka('a pipeline that reads Kafka alone', (kafka) => {
  const database = useDatabase({ connectionsMax: 10 });
  const harness = useKafkaHarness(kafka, () => database.current);
  const teamId = randomUUID();
  const owners: RecordOwner[] = Array.from({ length: 6 }, (_, index) => ({
    teamId,
    userId: randomUUID(),
    clientUserId: `person ${index}`,
  }));
  const summaryIds = owners.map(() => [randomUUID(), randomUUID()]);

  /** Random writes: new, revised and repeated values of several users and series. */
  async function writeSomething(seed: number): Promise<void> {
    const responses = fc.sample(
      fc.record({
        person: fc.integer({ min: 0, max: owners.length - 1 }),
        summary: fc.integer({ min: 0, max: 1 }),
        steps: fc.integer({ min: 0, max: 40 }),
        distance: fc.option(fc.integer({ min: 0, max: 4000 }).map((value) => value / 7)),
        minutes: fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 20 }),
        rate: fc.integer({ min: 50, max: 55 }),
      }),
      { numRuns: 60, seed },
    );
    for (const { person, summary, steps, distance, minutes, rate } of responses) {
      const owner = owners[person] as RecordOwner;
      const version = await drawVersion(database.current);
      await withEvents(database.current, (tx, emit) =>
        writeRecords(tx, emit, {
          owner,
          version,
          origin: 'live',
          sourceId: 3,
          traceId: null,
          records: [
            {
              kind: 'summary',
              id: summaryIds[person]?.[summary] ?? '',
              resource: 'activity',
              source,
              calendarDate: '2026-01-05',
              at: day,
              data: { steps, distance },
            },
            {
              kind: 'samples',
              resource: 'heartrate',
              source,
              samples: minutes.map((minute) => ({ ts: day + minute * 60_000, value: rate + (minute % 3), timezoneOffset: 3600 })),
            },
          ],
        }),
      );
    }
  }

  async function storedSummaries(): Promise<Map<unknown, unknown>> {
    const lists = await Promise.all(
      owners.map((owner) => readSummaries(database.current, { ...owner, resource: 'activity', window: { by: 'all' } })),
    );
    return new Map(
      lists
        .flat()
        .map(({ id, user_id, calendar_date, steps, distance, updated_at }) => [
          id,
          { id, user_id, calendar_date, steps, distance, updated_at },
        ]),
    );
  }

  async function storedSamples(): Promise<Map<string, number>> {
    const all = new Map<string, number>();
    for (const owner of owners) {
      const page = await readGroupedSamples(database.current, {
        ...owner,
        resource: 'heartrate',
        fromMs: day,
        toMs: day + 86_400_000,
        limit: 1000,
      });
      for (const groups of Object.values(page.groups)) {
        for (const { data } of groups) {
          for (const one of data)
            all.set(`${owner.userId}|heartrate||fitbit|watch|${Date.parse(String(one['timestamp']))}`, one['value'] as number);
        }
      }
    }
    return all;
  }

  async function expectEqual(rebuild: Rebuild): Promise<void> {
    const [summaries, samples] = [await storedSummaries(), await storedSamples()];
    await expect
      .poll(() => Object.fromEntries([...rebuild.summaries].map(([id, { value }]) => [id, shownActivity(value)])), { timeout: 20_000 })
      .toEqual(Object.fromEntries(summaries));
    await expect
      .poll(() => Object.fromEntries([...rebuild.samples].map(([key, { value }]) => [key, value['value']])), { timeout: 20_000 })
      .toEqual(Object.fromEntries(samples));
    expect(samples.size).toBeGreaterThan(100);
    expect(summaries.size).toBe(owners.length * 2);
  }

  test('equals Postgres even after relays repeated records and it restarted', async () => {
    const rebuild = new Rebuild();
    const group = kafka.uniqueName('pipeline');
    let follower = await followTopic(harness.config, harness.kafka.names.events, group, rebuild);
    const stopRelay = harness.startRelay();
    await writeSomething(1);
    await harness.relayed();
    await expectEqual(rebuild);

    // The relay dies before it records what it published, the pipeline before it commits any offset.
    await stopRelay();
    await follower.stop();
    await database.current.sql`UPDATE log_positions SET "offset" = greatest(0, "offset" - 15), epoch = epoch + 1 WHERE consumer = 'relay'`;
    follower = await followTopic(harness.config, harness.kafka.names.events, group, rebuild);
    const [stopOne, stopTwo] = [harness.startRelay(), harness.startRelay()];
    await Promise.all([writeSomething(2), writeSomething(3)]);
    await harness.relayed();
    await expectEqual(rebuild);
    expect(rebuild.repeats).toBeGreaterThan(0);
    await Promise.all([stopOne(), stopTwo(), follower.stop()]);
  });

  test('from only the compacted topic has the same summaries', async () => {
    const stop = harness.startRelay();
    await writeSomething(4);
    await harness.relayed();
    const rebuild = new Rebuild();
    const follower = await followTopic(
      configFor(kafka, harness.config.kafkaTopicPrefix),
      harness.kafka.names.summaries,
      kafka.uniqueName('state'),
      rebuild,
    );
    const expected = Object.fromEntries(await storedSummaries());
    await expect
      .poll(() => Object.fromEntries([...rebuild.summaries].map(([id, { value }]) => [id, shownActivity(value)])), { timeout: 20_000 })
      .toEqual(expected);
    await Promise.all([stop(), follower.stop()]);
  });
});
