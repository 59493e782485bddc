import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createManualClock, noMetrics, silentLogger } from '@pulsewire/kernel';
import {
  emitConnectionCreated,
  deleteUser,
  deregisterConnection,
  erasureGraceMs,
  putConnection,
  undoDeletion,
} from '@pulsewire/connections';
import { withEvents } from '@pulsewire/eventlog';
import { compose, type SchedulerService } from '@pulsewire/service-scheduler';
import { drawVersion, readGroupedSamples, readSummaries, writeRecords, type RecordBatch } from '@pulsewire/store';
import { useKafkaHarness } from '../integration/kafka/support/kafka-harness.ts';
import { useDatabase } from '../support/database.ts';
import { describeKafka } from '../support/kafka/use-kafka.ts';
import { followTopic, Rebuild } from './rebuild.ts';

const source = { provider: 'fitbit', type: 'watch' } as const;
const day = Date.UTC(2026, 0, 5);
const minute = 60_000;

describeKafka('a pipeline that reads Kafka alone', (kafka) => {
  const database = useDatabase({ connectionsMax: 40 });
  const harness = useKafkaHarness(kafka, () => database.current);
  const clock = createManualClock(new Date());
  const teamId = randomUUID();
  const names = ['plain', 'disconnected', 'deleted', 'undone', 'erased'] as const;
  type Name = (typeof names)[number];
  const owners = Object.fromEntries(names.map((name) => [name, { teamId, userId: randomUUID(), clientUserId: name }])) as unknown as Record<
    Name,
    RecordBatch['owner']
  >;
  const summaryIds = Object.fromEntries(names.map((name) => [name, [randomUUID(), randomUUID()]])) as unknown as Record<
    Name,
    [string, string]
  >;
  let scheduler: SchedulerService;

  beforeAll(async () => {
    const at = clock.now().toISOString();
    await database.current.sql`INSERT INTO teams (team_id, name, created_at) VALUES (${teamId}, 'Team', ${at})`;
    for (const { userId, clientUserId } of Object.values(owners))
      await database.current
        .sql`INSERT INTO users (user_id, team_id, client_user_id, created_at) VALUES (${userId}, ${teamId}, ${clientUserId}, ${at})`;
    scheduler = await compose(
      {
        ...harness.config,
        logDays: 30,
        attemptsDays: 90,
        auditDays: 400,
        receiptsDays: 30,
        pushesDays: 6,
        vaultDays: 14,
        databaseUrl: database.url,
        encryptionKeys: `1:${randomBytes(32).toString('base64')}`,
      },
      {
        providers: { connectorFor: () => undefined, platformApplication: () => null },
        logger: silentLogger,
        metrics: noMetrics,
        clock,
      },
    );
  });
  afterAll(() => scheduler.close());

  async function write(name: Name, records: RecordBatch['records']): Promise<void> {
    const version = await drawVersion(database.current);
    await withEvents(database.current, (tx, emit) =>
      writeRecords(tx, emit, { owner: owners[name], version, origin: 'live', sourceId: 3, traceId: null, records }),
    );
  }

  async function link(name: Name): Promise<void> {
    const { userId, clientUserId } = owners[name];
    const provider = { slug: 'fitbit', name: 'Fitbit' };
    await withEvents(database.current, async (tx, emit) => {
      const connection = await putConnection(
        tx,
        emit,
        { clock },
        {
          teamId,
          userId,
          clientUserId,
          provider: 'fitbit',
          providerUserId: `account of ${name}`,
          externalUserId: null,
          application: 'platform',
          grantedScopes: [],
          deniedScopes: [],
          account: {},
        },
      );
      emitConnectionCreated(emit, { baseUrl: () => 'http://127.0.0.1' }, connection, {
        clientUserId,
        provider,
        connector: null,
        traceId: null,
      });
    });
  }

  /** Keys of the data that the API shows, which exclude deleted users. */
  async function shown(): Promise<{ summaries: string[]; samples: string[]; connections: string[] }> {
    const { sql } = database.current;
    const live = await sql<{ user_id: string }[]>`SELECT user_id FROM users WHERE team_id = ${teamId} AND deleted_at IS NULL`;
    const keys = { summaries: [] as string[], samples: [] as string[], connections: [] as string[] };
    for (const { user_id: userId } of live) {
      const owner = { teamId, userId };
      const summaries = await readSummaries(database.current, { ...owner, resource: 'activity', window: { by: 'all' } });
      keys.summaries.push(...summaries.map(({ id }) => String(id)));
      const range = { resource: 'heartrate', fromMs: day, toMs: day + 86_400_000, limit: 2000 };
      const { groups } = await readGroupedSamples(database.current, { ...owner, ...range });
      for (const { data } of Object.values(groups).flat())
        keys.samples.push(...data.map(({ timestamp }) => `${userId}|heartrate||fitbit|watch|${Date.parse(String(timestamp))}`));
      const connections = await sql<{ provider: string }[]>`SELECT provider FROM connections WHERE user_id = ${userId}`;
      keys.connections.push(...connections.map(({ provider }) => `${userId}:${provider}`));
    }
    return { summaries: keys.summaries.sort(), samples: keys.samples.sort(), connections: keys.connections.sort() };
  }

  const keysOf = ({ summaries, samples, connections }: Rebuild) => ({
    summaries: [...summaries.keys()].sort(),
    samples: [...samples.keys()].sort(),
    connections: [...connections.keys()].sort(),
  });

  test('ends equal to Postgres after removals, disconnection, deletion, undo and erasure', async () => {
    const stopRelay = harness.startRelay();
    for (const name of names) {
      await link(name);
      const samples = Array.from({ length: 1200 }, (_, index) => ({
        ts: day + index * minute,
        value: 60 + (index % 9),
        timezoneOffset: 0,
      }));
      await write(name, [
        ...summaryIds[name].map((id, index) => ({
          kind: 'summary' as const,
          id,
          resource: 'activity',
          source,
          calendarDate: '2026-01-05',
          at: day,
          data: { steps: index },
        })),
        { kind: 'samples', resource: 'heartrate', source, samples },
      ]);
    }
    // The removals exceed the capacity of one event; times that were never stored are not reported.
    const ts = Array.from({ length: 1300 }, (_, index) => day + index * minute).filter((_, index) => index % 100 !== 0);
    await write('plain', [
      { kind: 'summary_removal', resource: 'activity', id: summaryIds.plain[0] },
      { kind: 'sample_removal', resource: 'heartrate', source, ts },
    ]);
    const { sql } = database.current;
    const team = { teamId, isSandbox: false } as Parameters<typeof undoDeletion>[1];
    await deregisterConnection(database.current, { clock }, { teamId, userId: owners.disconnected.userId, provider: 'fitbit' });
    await deleteUser(database.current, { clock }, teamId, owners.erased.userId);
    clock.advance(erasureGraceMs + 1000);
    await scheduler.runJob('erase_users');
    expect(await sql`SELECT 1 FROM users WHERE user_id = ${owners.erased.userId}`).toHaveLength(0);
    for (const name of ['deleted', 'undone'] as const) await deleteUser(database.current, { clock }, teamId, owners[name].userId);
    await undoDeletion(database.current, team, { userId: owners.undone.userId }, { clock, sandboxUsersMax: 10 });
    await harness.relayed();
    await stopRelay();

    const expected = await shown();
    expect(expected.summaries).toHaveLength(1 + 2 + 2);
    expect(expected.samples).toHaveLength(12 + 1200 + 1200);
    expect(expected.connections).toEqual([`${owners.plain.userId}:fitbit`]);
    const rebuild = new Rebuild();
    const follower = await followTopic(harness.config, harness.kafka.names.events, kafka.uniqueName('deletions'), rebuild);
    await expect.poll(() => keysOf(rebuild), { timeout: 30_000 }).toEqual(expected);
    // A deleted user is hidden at once; the records of the erasure may arrive with the next batch.
    await expect.poll(() => rebuild.keptOf(owners.erased.userId)).toBe(0);
    expect(rebuild.keptOf(owners.deleted.userId)).toBe(2 + 1200);
    await follower.stop();

    // The compacted topics do not show a deletion until the erasure; connections and removals end at once.
    const state = new Rebuild();
    const followers = await Promise.all(
      [harness.kafka.names.summaries, harness.kafka.names.connections].map((topic) =>
        followTopic(harness.config, topic, kafka.uniqueName('state'), state),
      ),
    );
    const kept = [...expected.summaries, ...summaryIds.deleted].sort();
    await expect.poll(() => keysOf(state), { timeout: 30_000 }).toEqual({ ...expected, summaries: kept, samples: [] });
    await Promise.all(followers.map((one) => one.stop()));
  });
});
