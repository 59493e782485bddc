import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createKafkaClient, withAdmin, type KafkaClient, type KafkaConnection } from '@pulsewire/kafka/client';
import { silentLogger, sleep } from '@pulsewire/kernel';
import { kafkaClassPath } from './artifacts.ts';
import { formatStorage } from './format-storage.ts';
import { freePorts } from '../free-ports.ts';
import { startJava, type JavaProcess } from './java-process.ts';

/** One broker of a cluster: broker and controller in one small process. */
export interface Broker {
  readonly nodeId: number;
  readonly address: string;
  pid(): number;
  isRunning(): boolean;
  /** Sends SIGKILL. The data stays for `restart`. */
  kill(): Promise<void>;
  /** Shuts down cleanly. */
  stop(): Promise<void>;
  /** Starts it with its data on its port and resolves when it responds. */
  restart(): Promise<void>;
}

export interface KafkaCluster {
  readonly addresses: readonly string[];
  readonly brokers: readonly Broker[];
  /** The shortest session timeout that a consumer group may request. */
  readonly sessionTimeoutMinMs: number;
  /** Stops the brokers and removes their data. */
  close(): Promise<void>;
}

const readyWithinMs = 150_000;
const sessionTimeoutMinMs = 500;
const jvm = ['-Xms96m', '-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Xshare:auto', '-Djava.awt.headless=true'];

export interface ClusterOptions {
  readonly count: 1 | 3;
  /** Broker settings that replace the defaults. */
  readonly overrides?: Readonly<Record<string, string>>;
  /** Returns the address that a broker advertises, for a proxy in between; called before the broker starts. */
  readonly advertise?: (address: string) => Promise<string>;
  /** TLS and SASL, if the overrides require them. */
  readonly security?: Security;
  /** SCRAM users, created before the first start: `SCRAM-SHA-512=[name=…,password=…]`. */
  readonly scramUsers?: readonly string[];
}

type Security = Pick<KafkaConnection, 'tls' | 'sasl'>;

/** Starts `count` brokers (1, or 3 that replicate to each other) on free ports, with data in a folder of their own. */
export async function startKafkaCluster(options: ClusterOptions): Promise<KafkaCluster> {
  const { count } = options;
  const classPath = await kafkaClassPath();
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pulsewire-kafka-'));
  const ports = await freePorts(count * 2);
  const nodeIds = Array.from({ length: count }, (_, index) => index + 1);
  const voters = nodeIds.map((id) => `${id}@127.0.0.1:${ports[count + id - 1]}`).join(',');
  const addresses = nodeIds.map((id) => `127.0.0.1:${ports[id - 1]}`);
  await writeFile(path.join(folder, 'log4j2.properties'), log4j);
  const brokers = await Promise.all(
    nodeIds.map(async (nodeId) => {
      const home = path.join(folder, `node${nodeId}`);
      await mkdir(home);
      const address = addresses[nodeId - 1] ?? '';
      const advertised = (await options.advertise?.(address)) ?? address;
      const settings = {
        ...nodeSettings({ nodeId, count, voters, address, advertised, controllerPort: ports[count + nodeId - 1], home }),
        ...options.overrides,
      };
      const file = path.join(home, 'server.properties');
      await writeFile(
        file,
        Object.entries(settings)
          .map(([key, value]) => `${key}=${value}`)
          .join('\n'),
      );
      const java = [...jvm, `-Dlog4j2.configurationFile=${folder}/log4j2.properties`, '-cp', classPath];
      await formatStorage(nodeId, home, { java, settingsFile: file, scramUsers: options.scramUsers ?? [], timeout: readyWithinMs });
      return createBroker({ nodeId, home, file, classPath, address, security: options.security });
    }),
  );
  const close = async () => {
    await Promise.all(brokers.map((broker) => broker.kill()));
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await Promise.all(brokers.map((broker) => broker.launch()));
    await untilBrokers(addresses, count, { ...options.security, isHopeless: () => brokers.some((broker) => !broker.isRunning()) });
  } catch (cause) {
    const tails = await Promise.all(brokers.map((broker) => broker.logTail()));
    await close();
    throw new Error(`Kafka did not start:\n${tails.join('\n').slice(-4_000)}`, { cause });
  }
  return { addresses, brokers, sessionTimeoutMinMs, close };
}

function createBroker(place: {
  readonly nodeId: number;
  readonly home: string;
  readonly file: string;
  readonly classPath: string;
  readonly address: string;
  readonly security: Security | undefined;
}) {
  const { nodeId, home, file, classPath, address, security } = place;
  let server: JavaProcess | undefined;
  const launch = async () => {
    const args = [...jvm, `-Dlog4j2.configurationFile=${home}/../log4j2.properties`, '-cp', classPath, 'kafka.Kafka', file];
    server = await startJava({ args, logFile: path.join(home, 'server.log'), folder: home });
  };
  return {
    nodeId,
    address,
    launch,
    pid: () => server?.pid ?? 0,
    isRunning: () => server?.isRunning() ?? false,
    kill: async () => server?.kill(),
    stop: async () => server?.stop(),
    async restart() {
      await server?.kill();
      await launch();
      await untilBrokers([address], 1, security);
    },
    logTail: async () => (await server?.logTail()) ?? '',
  };
}

/** Resolves when the cluster at these addresses has at least `count` live brokers. */
export async function untilBrokers(
  addresses: readonly string[],
  count: number,
  options: Security & { readonly isHopeless?: () => boolean } = {},
): Promise<void> {
  const { isHopeless = () => false, ...security } = options;
  const client = createKafkaClient(
    { ...security, brokers: addresses, clientId: 'test-setup', connectTimeoutMs: 2_000, requestTimeoutMs: 5_000 },
    { logger: silentLogger },
  );
  const deadline = Date.now() + readyWithinMs;
  try {
    while ((await countBrokers(client)) < count) {
      if (isHopeless() || Date.now() > deadline) throw new Error(`Fewer than ${count} brokers answered within ${readyWithinMs / 1000} s`);
      await sleep(150);
    }
  } finally {
    await client.close();
  }
}

async function countBrokers(client: KafkaClient): Promise<number> {
  try {
    return await withAdmin(client, 'the cluster', async (admin) => (await admin.describeCluster()).brokers.length);
  } catch {
    return 0;
  }
}

interface NodePlace {
  readonly nodeId: number;
  readonly count: number;
  readonly voters: string;
  readonly address: string;
  readonly advertised: string;
  readonly controllerPort: number | undefined;
  readonly home: string;
}

function nodeSettings({ nodeId, count, voters, address, advertised, controllerPort, home }: NodePlace): Record<string, string> {
  const replicas = String(count);
  const inSync = count === 3 ? '2' : '1';
  return {
    'process.roles': 'broker,controller',
    'node.id': String(nodeId),
    'controller.quorum.voters': voters,
    listeners: `PLAINTEXT://${address},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': `PLAINTEXT://${advertised}`,
    'inter.broker.listener.name': 'PLAINTEXT',
    'controller.listener.names': 'CONTROLLER',
    'listener.security.protocol.map': 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT',
    'log.dirs': path.join(home, 'data'),
    'num.partitions': '3',
    'auto.create.topics.enable': 'false',
    'default.replication.factor': replicas,
    'min.insync.replicas': inSync,
    'offsets.topic.num.partitions': '1',
    'offsets.topic.replication.factor': replicas,
    'transaction.state.log.num.partitions': '1',
    'transaction.state.log.replication.factor': replicas,
    'transaction.state.log.min.isr': inSync,
    'share.coordinator.state.topic.num.partitions': '1',
    'share.coordinator.state.topic.replication.factor': replicas,
    'share.coordinator.state.topic.min.isr': inSync,
    'group.initial.rebalance.delay.ms': '0',
    'group.min.session.timeout.ms': String(sessionTimeoutMinMs),
    // Half of the default; determines how long a killed broker stays the leader of its partitions.
    'broker.session.timeout.ms': '4500',
    'broker.heartbeat.interval.ms': '1000',
    'log.cleaner.dedupe.buffer.size': '2097152',
    'num.network.threads': '2',
    'num.io.threads': '4',
    'num.recovery.threads.per.data.dir': '1',
    'log.retention.check.interval.ms': '60000',
  };
}

const log4j = `rootLogger.level=WARN
rootLogger.appenderRef.c.ref=C
appender.c.type=Console
appender.c.name=C
appender.c.layout.type=PatternLayout
appender.c.layout.pattern=[%d] %p %m (%c)%n
`;
