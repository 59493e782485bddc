import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { emitConnectionCreated, markConnectionError, putConnection, type Connection } from '@pulsewire/connections';
import { openDatabase, type Database } from '@pulsewire/database';
import { prepareDatabase } from '../support/test-server.ts';
import { shardOf, withEvents } from '@pulsewire/eventlog';
import { systemClock } from '@pulsewire/kernel';
import { runAdmin } from '../../services/standalone/src/admin/run-admin.ts';
import { drawVersion, readSummaries, writeRecords, type RecordOwner } from '@pulsewire/store';
import { useKafkaHarness } from '../integration/kafka/support/kafka-harness.ts';
import { describeKafka } from '../support/kafka/use-kafka.ts';
import { startReplicatedServer, type ReplicatedServer } from '../support/replicated-server.ts';
import { Rebuild, followTopic } from './rebuild.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

describeKafka('a pipeline that reads Kafka alone, after a standby was promoted without the last events', (kafka) => {
  let servers: ReplicatedServer;
  let database: Database;
  const harness = useKafkaHarness(kafka, () => database);
  const teamId = randomUUID();
  const clock = systemClock;
  const owner: RecordOwner = { teamId, userId: randomUUID(), clientUserId: 'quiet' };
  const [untouched, changed, lost] = [randomUUID(), randomUUID(), randomUUID()];

  beforeAll(async () => {
    servers = await startReplicatedServer(['pulsewire']);
    database = openDatabase({ url: servers.url('pulsewire'), connectionsMax: 12 });
    await prepareDatabase(database);
  });
  afterAll(async () => {
    await database.close();
    await servers.stop();
  });

  async function write(steps: Readonly<Record<string, number>>): Promise<void> {
    const version = await drawVersion(database);
    const source = { provider: 'fitbit', type: 'watch' } as const;
    await withEvents(database, (tx, emit) =>
      writeRecords(tx, emit, {
        owner,
        version,
        origin: 'live',
        sourceId: 3,
        traceId: null,
        records: Object.entries(steps).map(([id, count]) => ({
          kind: 'summary',
          id,
          resource: 'activity',
          source,
          calendarDate: '2026-01-05',
          at: Date.UTC(2026, 0, 5),
          data: { steps: count },
        })),
      }),
    );
  }

  /** Links the user and emits the event. */
  async function link(provider: string): Promise<Connection> {
    const at = clock.now().toISOString();
    await database.sql`INSERT INTO teams (team_id, name, created_at) VALUES (${teamId}, 'Team', ${at})`;
    await database.sql`
      INSERT INTO users (user_id, team_id, client_user_id, created_at) VALUES (${owner.userId}, ${teamId}, ${owner.clientUserId}, ${at})`;
    const account = {
      providerUserId: 'account',
      externalUserId: null,
      application: 'platform',
      grantedScopes: [],
      deniedScopes: [],
      account: {},
    } as const;
    return withEvents(database, async (tx, emit) => {
      const connection = await putConnection(tx, emit, { clock }, { ...owner, provider, ...account });
      const facts = { clientUserId: owner.clientUserId, provider: { slug: provider, name: provider }, connector: null, traceId: null };
      emitConnectionCreated(emit, { baseUrl: () => 'http://127.0.0.1' }, connection, facts);
      return connection;
    });
  }

  const errorsOf = (rebuild: Rebuild) => [...rebuild.connections].map(([key, { value }]) => [key, value['error_type'] ?? null]);
  const stepsOf = (rebuild: Rebuild) => Object.fromEntries([...rebuild.summaries].map(([id, { value }]) => [id, value['steps']]));
  const rebuild = new Rebuild();
  let stopRelay: (() => Promise<void>) | undefined;
  async function republish(): Promise<readonly string[]> {
    const lines: string[] = [];
    const context = { database, cipher: {} as never, clock, kafka: harness.config, secret: () => '' };
    expect(await runAdmin(['log', 'republish'], { ...context, print: (line) => void lines.push(line) })).toBe(0);
    return lines;
  }

  const follow = (topic: string, into: Rebuild) => followTopic(harness.config, topic, kafka.uniqueName('lost'), into);

  test('reverts lost events in a shard that gets no more writes', async () => {
    stopRelay = harness.startRelay();
    const follower = await follow(harness.kafka.names.events, rebuild);
    const connection = await link('fitbit');
    await write({ [untouched]: 1, [changed]: 1 });
    await harness.relayed();
    await servers.caughtUp();
    await servers.cutReplication();
    await write({ [changed]: 2, [lost]: 7 });
    await markConnectionError({ database, clock }, connection.connectionId, { errorType: 'token_refresh_failed', message: 'gone' });
    await expect.poll(() => stepsOf(rebuild), { timeout: 30_000 }).toEqual({ [untouched]: 1, [changed]: 2, [lost]: 7 });
    await harness.relayed();
    await servers.failOver();

    await expect.poll(() => stepsOf(rebuild), { timeout: 60_000 }).toEqual({ [untouched]: 1 });
    const reported = () =>
      database.sql<{ shard: number; generation: number }[]>`SELECT shard, generation FROM relay_generations ORDER BY shard`;
    await expect.poll(async () => (await reported()).length, { timeout: 30_000 }).toBe(64);
    expect(await reported()).toContainEqual({ shard: shardOf(owner.userId), generation: 2 });
    await follower.stop();
  });

  test('`log republish` restores the stored state of every key that lost events had changed', async () => {
    const { names } = harness.kafka;
    const compacted = new Rebuild();
    // A reader of a compacted topic only sees the last record of a key.
    compacted.learn = () => {};
    const followers = [
      await follow(names.summaries, compacted),
      await follow(names.connections, compacted),
      await follow(names.events, rebuild),
    ];
    await expect.poll(() => stepsOf(compacted), { timeout: 30_000 }).toEqual({ [untouched]: 1, [changed]: 2, [lost]: 7 });
    const connectionKey = `${owner.userId}:fitbit`;
    await expect.poll(() => errorsOf(compacted), { timeout: 30_000 }).toEqual([[connectionKey, 'token_refresh_failed']]);

    expect((await republish()).at(-1)).toBe('2 published as stored, 1 removed, 0 had a later event, 0 failed');
    await expect.poll(() => stepsOf(compacted), { timeout: 30_000 }).toEqual({ [untouched]: 1, [changed]: 1 });
    await expect.poll(() => errorsOf(compacted), { timeout: 30_000 }).toEqual([[connectionKey, null]]);
    await expect.poll(() => stepsOf(rebuild), { timeout: 30_000 }).toEqual({ [untouched]: 1, [changed]: 1 });
    const stored = await readSummaries(database, { ...owner, resource: 'activity', window: { by: 'all' } });
    expect(Object.fromEntries(stored.map(({ id, steps }) => [id, steps]))).toEqual({ [untouched]: 1, [changed]: 1 });

    // Again, as after an interrupted run: finished work is not repeated.
    expect((await republish()).at(-1)).toBe('0 published as stored, 0 removed, 3 had a later event, 0 failed');
    await Promise.all(followers.map((follower) => follower.stop()));
    await stopRelay?.();
  });
});
