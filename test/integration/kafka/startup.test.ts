import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { withEvents } from '@pulsewire/eventlog';
import { createRegistry, listPoison, recordTypes } from '@pulsewire/kafka';
import { useDatabase } from '../../support/database.ts';
import { freePorts } from '../../support/free-ports.ts';
import { createLateServer, type LateServer } from '../../support/kafka/late-server.ts';
import { describeKafka } from '../../support/kafka/use-kafka.ts';
import { failure } from './readers.ts';
import { useKafkaHarness } from './support/kafka-harness.ts';
import { processEnv } from '../../support/process-env.ts';
import { program } from '../../support/programs/program.ts';

vi.setConfig({ testTimeout: 180_000 });

type Part = 'brokers' | 'registry';

interface Readiness {
  readonly code: number;
  readonly status: string;
  readonly checks: Readonly<Record<string, string>>;
}

/** A service as a separate process. */
interface Service {
  ready(): Promise<Readiness | null>;
  /** Explanations that it logged for an event and a part. */
  reported(event: 'kafka.unreachable' | 'kafka.reachable', part: Part): readonly string[];
  hasLogged(event: string): boolean;
  hasEnded(): boolean;
}

describeKafka('starting without Kafka', (kafka) => {
  const database = useDatabase({ connectionsMax: 20 });
  // An installation has its own keys, and a database accepts only those of its installation.
  const otherDatabase = useDatabase();
  const encryptionKeys = `1:${randomBytes(32).toString('base64')}`;
  const harness = useKafkaHarness(kafka, () => database.current);
  const cleanups: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  });

  async function lateServers(): Promise<{ broker: LateServer; registry: LateServer; env: Record<string, string> }> {
    const url = new URL(kafka.registryUrl);
    const [broker, registry] = await Promise.all([createLateServer(kafka.brokers[0] ?? ''), createLateServer(url.host)]);
    cleanups.push(
      () => broker.close(),
      () => registry.close(),
    );
    url.host = registry.address;
    const env = { DATABASE_URL: database.url, LOG_FORMAT: 'json', KAFKA_BROKERS: broker.address, SCHEMA_REGISTRY_URL: url.href };
    return { broker, registry, env };
  }

  function start(name: 'relay' | 'dispatcher' | 'standalone', port: number, env: Readonly<Record<string, string>>): Service {
    const main = program(`services/${name}/src/main.ts`);
    const child = spawn(process.execPath, [main], { env: { ...processEnv, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const exited = once(child, 'exit');
    cleanups.push(async () => {
      child.kill('SIGTERM');
      await exited;
    });
    const lines = () => output.split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'));
    return {
      async ready() {
        const response = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => null);
        return response && { code: response.status, ...((await response.json()) as Omit<Readiness, 'code'>) };
      },
      reported: (event, part) =>
        lines()
          .filter((line) => line.includes(`"${event}"`))
          .map((line) => JSON.parse(line) as { part: Part; explanation: string })
          .filter((line) => line.part === part)
          .map(({ explanation }) => explanation),
      hasLogged: (event) => lines().some((line) => line.includes(`"${event}"`)),
      hasEnded: () => child.exitCode !== null,
    };
  }

  for (const away of [['brokers'], ['registry'], ['brokers', 'registry']] as const) {
    const isAway = (part: Part) => (away as readonly Part[]).includes(part);
    test(`relay and dispatcher start while ${away.join(' and ')} are away, and continue when they are back`, async () => {
      const { broker, registry, env } = await lateServers();
      if (!isAway('brokers')) await broker.open();
      if (!isAway('registry')) await registry.open();
      const [relayPort = 0, dispatcherPort = 0] = await freePorts(2);
      const settings = {
        ...env,
        KAFKA_TOPIC_PREFIX: harness.config.kafkaTopicPrefix,
        ENCRYPTION_KEYS: encryptionKeys,
      };
      const services = [
        start('relay', relayPort, { ...settings, HEALTH_PORT: String(relayPort) }),
        start('dispatcher', dispatcherPort, { ...settings, HEALTH_PORT: String(dispatcherPort) }),
      ];
      const checks = {
        kafka: isAway('brokers') ? 'kafka_unavailable' : 'ok',
        schema_registry: isAway('registry') ? 'registry_unavailable' : 'ok',
      };
      for (const service of services) {
        await expect.poll(() => service.ready(), { timeout: 60_000 }).toMatchObject({ code: 200, status: 'degraded', checks });
        for (const part of away)
          expect(service.reported('kafka.unreachable', part)[0]).toContain(part === 'brokers' ? broker.address : registry.address);
      }

      await withEvents(database.current, async (_tx, emit) => emit(failure(randomUUID(), 'written while it was away')));
      // With brokers available, the relay has reached the registry by now, and keeps the event.
      if (!isAway('brokers')) await expect.poll(() => services[0]?.hasLogged('relay.batch_failed'), { timeout: 60_000 }).toBe(true);
      if (isAway('brokers')) await broker.open();
      if (isAway('registry')) await registry.open();
      for (const service of services) {
        await expect.poll(() => service.ready(), { timeout: 60_000 }).toMatchObject({ code: 200, status: 'ok' });
        for (const part of away) expect(service.reported('kafka.reachable', part)[0]).toContain('back after');
      }
      await harness.relayed();
      // No event was set aside for lack of a schema while the registry was away.
      expect(await listPoison(database.current)).toEqual([]);
    });
  }

  test('a single-process installation serves its API while brokers and registry are away', async () => {
    const { broker, registry, env } = await lateServers();
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'pulsewire-startup-'));
    cleanups.push(() => rm(dataDir, { recursive: true, force: true }));
    const [port = 0, healthPort = 0] = await freePorts(2);
    const prefix = `${kafka.uniqueName('startup')}.`;
    const service = start('standalone', healthPort, {
      ...env,
      DATABASE_URL: otherDatabase.url,
      PORT: String(port),
      HEALTH_PORT: String(healthPort),
      DATA_DIR: dataDir,
      DEMO: 'off',
      KAFKA_TOPIC_PREFIX: prefix,
    });
    await expect.poll(() => service.ready(), { timeout: 60_000 }).toMatchObject({ code: 200, status: 'degraded' });
    expect((await fetch(`http://127.0.0.1:${port}/openapi.json`)).status).toBe(200);
    await expect.poll(() => service.reported('kafka.unreachable', 'brokers')[0] ?? '', { timeout: 20_000 }).toContain(broker.address);
    await expect.poll(() => service.reported('kafka.unreachable', 'registry')[0] ?? '', { timeout: 20_000 }).toContain(registry.address);

    await Promise.all([broker.open(), registry.open()]);
    await expect.poll(() => service.ready(), { timeout: 60_000 }).toMatchObject({ code: 200, status: 'ok' });
    expect(service.reported('kafka.reachable', 'brokers')).toHaveLength(1);
    // It creates its topics and registers its schemas by itself.
    const [first] = recordTypes;
    if (first) expect(await createRegistry(kafka.registryUrl).idOf(`${prefix}events`, first)).toBeGreaterThan(0);
    expect(service.hasEnded()).toBe(false);
  });
});
