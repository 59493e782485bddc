import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Webhook } from 'standardwebhooks';
import { silentLogger, sleep, systemClock } from '@pulsewire/kernel';
import { createTeam } from '@pulsewire/connections';
import { createCipher, openDatabase, parseCipherKeys, startEmbeddedServer, type Database, type EmbeddedServer } from '@pulsewire/database';
import { prepareDatabase } from '../../support/test-server.ts';
import { maintainLog, readLag } from '@pulsewire/eventlog';
import { prepareKafka, type KafkaConfig } from '@pulsewire/kafka';
import { createEndpoint, getSecret } from '@pulsewire/webhooks';
import { startKafkaCluster } from '../../support/kafka/cluster.ts';
import { startRegistry } from '../../support/kafka/registry.ts';
import { Rebuild, followTopic } from '../../pipeline/rebuild.ts';
import type { CampaignOptions } from '../campaign.ts';
import { program } from '../../support/programs/program.ts';
import { Child, type Death } from '../harness/child.ts';
import { compare, type Comparison } from '../harness/compare.ts';
import { createRandom } from '../harness/random.ts';
import { Witness } from '../harness/witness.ts';

export interface KafkaCampaignOptions extends CampaignOptions {
  /** The dispatcher to run. */
  readonly dispatcherFile?: string;
}

export interface KafkaCampaignResult extends Comparison {
  readonly messages: number;
  readonly repeated: number;
  readonly badSignatures: number;
  readonly changedBodies: number;
  /** Events on Kafka, repeated ones, first arrivals after a later one of their shard, and those missing from a pipeline. */
  readonly onKafka: number;
  readonly repeatedOnKafka: number;
  readonly disorder: number;
  readonly missingOnKafka: number;
  /** Samples and summaries that a pipeline rebuilt differently from the stored ones. */
  readonly differingOnKafka: number;
  readonly kills: Readonly<Record<string, number>>;
  /** By kind of victim: ms from each kill until everything committed up to half a second after it had arrived, shortest first. */
  readonly recoveriesMs: ReadonlyMap<string, readonly number[]>;
  /** Processes that ended without being killed. */
  readonly deaths: readonly Death[];
  readonly drainMs: number;
  readonly isDrained: boolean;
}

const drainMaxMs = 180_000;
const partitions = 8;
/** How long a broker stays down: long enough for leaders to move. */
const brokerDownMs = 6000;

interface Victim {
  readonly name: string;
  /** `killed` is called as soon as it is dead; resolves when it is back. */
  crash(killed: () => void): Promise<void>;
}

function kindOf({ name }: Victim): string {
  return name.split(' ', 1)[0] ?? '';
}

/**
 * The pipeline over three brokers and a registry under load; brokers, registry, Postgres, relays and dispatchers are killed without
 * warning, in random order. Afterwards every committed event must have arrived, without manual intervention.
 */
export async function runKafkaCampaign(options: KafkaCampaignOptions): Promise<KafkaCampaignResult> {
  const report = options.report ?? (() => {});
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pulsewire-kafka-faults-'));
  await chmod(folder, 0o755);
  const settings = { max_connections: '60', shared_buffers: '64MB' };
  let server: EmbeddedServer = await startEmbeddedServer({ dataDir: folder, settings });
  const url = await server.databaseUrl('faults');
  const database = openDatabase({ url, name: 'fault-judge', connectionsMax: 3 });
  const cluster = await startKafkaCluster({ count: 3 });
  const registry = await startRegistry();
  const witness = new Witness();
  const children: Child[] = [];
  const kills: Record<string, number> = {};
  const recoveries: Promise<{ readonly kind: string; readonly ms: number }>[] = [];
  const pipeline = new Rebuild();
  let follower: { stop(): Promise<void> } | undefined;
  try {
    const encryptionKeys = `1:${randomBytes(32).toString('base64')}`;
    const teamId = await prepare(database, witness, encryptionKeys);
    const config = configOf(cluster.addresses, registry.url);
    await prepareKafka(config, silentLogger);
    follower = await followTopic(config, 'pulsewire.events', 'pipeline', pipeline);
    const env = {
      DATABASE_URL: url,
      ENCRYPTION_KEYS: encryptionKeys,
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      HEALTH_PORT: '0',
      LOG_LEVEL: 'warn',
      LOG_FORMAT: 'json',
      KAFKA_BROKERS: cluster.addresses.join(','),
      SCHEMA_REGISTRY_URL: registry.url,
      KAFKA_REPLICATION: '3',
    };
    const dispatcherFile = options.dispatcherFile ?? program('services/dispatcher/src/main.ts');
    for (const number of [1, 2]) children.push(new Child({ name: `dispatcher ${number}`, file: dispatcherFile, env }));
    for (const number of [1, 2]) children.push(new Child({ name: `relay ${number}`, file: program('services/relay/src/main.ts'), env }));
    const writer = new Child({
      name: 'writer',
      file: program('test/fault/harness/writer.ts'),
      args: [url, teamId, String(options.seed), String(options.pauseMs)],
    });
    for (const child of [...children, writer]) child.start();
    await arriving(witness);

    const victims: Victim[] = [
      ...children.map((child) => ({
        name: child.name,
        async crash(killed: () => void) {
          killed();
          await child.crash();
        },
      })),
      {
        name: 'registry',
        async crash(killed) {
          await registry.kill();
          killed();
          await registry.restart();
        },
      },
      {
        name: 'postgres',
        async crash(killed) {
          process.kill(server.pid, 'SIGKILL');
          killed();
          server = await startEmbeddedServer({ dataDir: folder, settings, port: server.port });
        },
      },
      ...cluster.brokers.map((broker) => ({
        name: `broker ${broker.nodeId}`,
        async crash(killed: () => void) {
          await broker.kill();
          killed();
          await sleep(brokerDownMs);
          await broker.restart();
        },
      })),
    ];
    const random = createRandom(options.seed);
    const endMs = performance.now() + options.seconds * 1000;
    let waiting: Victim[] = [];
    // Restarts are slow on a slow machine: the campaign continues until each kind was killed.
    const missing = new Set(victims.map(kindOf));
    while (performance.now() < endMs || missing.size > 0) {
      await sleep(options.killEveryMs * (0.3 + 0.7 * random()));
      // Every process is killed once before any is killed twice, and every kind once before two of the same kind.
      if (waiting.length === 0) waiting = [...victims];
      const open = waiting.filter((victim) => missing.size === 0 || missing.has(kindOf(victim)));
      const victim = open[Math.floor(random() * open.length)] as Victim;
      const kind = kindOf(victim);
      waiting.splice(waiting.indexOf(victim), 1);
      missing.delete(kind);
      await victim.crash(() => recoveries.push(recovered(database, witness).then((ms) => ({ kind, ms }))));
      kills[victim.name] = (kills[victim.name] ?? 0) + 1;
      report(`killed ${victim.name}; ${witness.sightings.size} messages so far`);
    }
    await writer.stop();
    const drainStart = performance.now();
    const isDrained = await drained(database);
    const drainMs = performance.now() - drainStart;
    if (!isDrained) for (const child of children) if (child.errors !== '') report(`${child.name}: ${child.errors}`);
    const comparison = await compare(database, witness);
    for (let waitedMs = 0; pipeline.events < comparison.committed && waitedMs < 30_000; waitedMs += 200) await sleep(200);
    return {
      ...comparison,
      messages: witness.sightings.size,
      repeated: witness.repeated,
      badSignatures: witness.badSignatures,
      changedBodies: witness.changedBodies,
      onKafka: pipeline.events,
      repeatedOnKafka: pipeline.repeats,
      disorder: pipeline.disorder,
      missingOnKafka: comparison.committed - pipeline.events,
      differingOnKafka: await compareRebuilt(database, pipeline),
      kills,
      recoveriesMs: byKind(await Promise.all(recoveries)),
      deaths: [...children, writer].flatMap((child) => child.ends),
      drainMs,
      isDrained,
    };
  } finally {
    await Promise.all(children.map((child) => child.stop()));
    await follower?.stop();
    await database.close();
    await witness.close();
    await Promise.all([cluster.close(), registry.close()]);
    await server.stop();
    await rm(folder, { recursive: true, force: true });
    await rm(server.folder, { recursive: true, force: true });
  }
}

function configOf(brokers: readonly string[], schemaRegistryUrl: string): KafkaConfig {
  const access = {
    kafkaTls: false,
    kafkaTlsCaFile: undefined,
    kafkaSaslMechanism: 'none',
    kafkaSaslUsername: undefined,
    kafkaSaslPassword: undefined,
  } as const;
  return {
    kafkaBrokers: brokers,
    schemaRegistryUrl,
    ...access,
    kafkaClientId: 'faults',
    kafkaTopicPrefix: 'pulsewire.',
    kafkaPartitions: partitions,
    kafkaReplication: 3,
    kafkaRetentionHours: 120,
  };
}

async function prepare(database: Database, witness: Witness, encryptionKeys: string): Promise<string> {
  await prepareDatabase(database);
  await maintainLog(database, { today: new Date().toISOString().slice(0, 10), keepDays: 30 });
  const context = { database, cipher: createCipher(parseCipherKeys(encryptionKeys)), clock: systemClock };
  const team = await createTeam(database, systemClock, { name: 'faults', isSandbox: false });
  const endpoint = await createEndpoint(context, team.teamId, { url: await witness.listen() });
  const secret = await getSecret(context, team.teamId, endpoint.id);
  witness.verifier = new Webhook(secret.key);
  return team.teamId;
}

/** Waits for the first deliveries: the first joins of the groups do not count as recovery. */
async function arriving(witness: Witness): Promise<void> {
  for (let waitedMs = 0; witness.sightings.size < 100; waitedMs += 100) {
    if (waitedMs > 60_000) throw new Error('Nothing was delivered within a minute of the start');
    await sleep(100);
  }
}

function byKind(recoveries: readonly { readonly kind: string; readonly ms: number }[]): ReadonlyMap<string, readonly number[]> {
  const sorted = recoveries.toSorted((a, b) => a.ms - b.ms);
  return new Map([...Map.groupBy(sorted, ({ kind }) => kind)].map(([kind, some]) => [kind, some.map(({ ms }) => ms)]));
}

/** Ms from now until everything committed within the next half second has arrived: recorded by the dispatchers, per shard. */
async function recovered(database: Database, witness: Witness): Promise<number> {
  const start = performance.now();
  await sleep(500);
  const again = async <T>(work: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await work();
      } catch {
        await sleep(100);
      }
    }
  };
  const ends = await again(() => database.sql<{ shard: number; next_offset: string }[]>`SELECT shard, next_offset FROM log_shards`);
  const seenBefore = witness.sightings.size;
  while (performance.now() - start < drainMaxMs) {
    const rows = await again(
      () => database.sql<{ shard: number; offset: string }[]>`SELECT shard, "offset" FROM log_positions WHERE consumer = 'dispatcher'`,
    );
    const positions = new Map(rows.map(({ shard, offset }) => [shard, Number(offset)]));
    if (witness.sightings.size > seenBefore && ends.every(({ shard, next_offset: next }) => (positions.get(shard) ?? 0) >= Number(next)))
      break;
    await sleep(100);
  }
  return performance.now() - start;
}

async function drained(database: Database): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < drainMaxMs; waitedMs += 200) {
    const lag = await readLag(database, 'dispatcher').catch(() => null);
    const [pending] = await database.sql<{ count: number }[]>`SELECT count(*)::int AS count FROM webhook_pending`.catch(() => [undefined]);
    if (lag?.events === 0 && pending?.count === 0) return true;
    await sleep(200);
  }
  return false;
}

/** Compares the state of a reader that has only Kafka with the stored rows. */
async function compareRebuilt(database: Database, pipeline: Rebuild): Promise<number> {
  const stored = await database.sql<{ key: string; value: number }[]>`
    SELECT concat_ws('|', o.user_id, k.resource, '', o.provider, o.source_type, (date_part('epoch', s.ts) * 1000)::bigint) AS key, s.value
    FROM all_samples s JOIN sources o USING (user_source_id) JOIN series k USING (series)`;
  const summaries = await database.sql<
    { id: string; updated: number }[]
  >`SELECT id, floor(date_part('epoch', updated_at) * 1000) AS updated FROM summaries`;
  const { samples, summaries: rebuilt } = pipeline;
  const samplesDiffer = stored.filter(({ key, value }) => samples.get(key)?.value['value'] !== value).length;
  const summariesDiffer = summaries.filter(({ id, updated }) => rebuilt.get(id)?.value['updated_at'] !== updated).length;
  return samplesDiffer + summariesDiffer + Math.max(0, samples.size - stored.length) + Math.max(0, rebuilt.size - summaries.length);
}
