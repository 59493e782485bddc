import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { silentLogger } from '@pulsewire/kernel';
import { reservePrefix } from '@pulsewire/kafka';
import { withAdmin } from '@pulsewire/kafka/client';
import { useDatabase } from '../../support/database.ts';
import { freePorts } from '../../support/free-ports.ts';
import { describeKafka } from '../../support/kafka/use-kafka.ts';
import { useKafkaHarness } from './support/kafka-harness.ts';
import { processEnv } from '../../support/process-env.ts';
import { program } from '../../support/programs/program.ts';

vi.setConfig({ testTimeout: 120_000 });

interface LogLine {
  readonly event: string;
  readonly level: string;
  readonly explanation?: string;
}

describeKafka('a topic prefix that another installation has', (kafka) => {
  const owner = useDatabase();
  const second = useDatabase();
  // With its own encryption keys, because a database accepts only those of its installation.
  const third = useDatabase();
  const harness = useKafkaHarness(kafka, () => owner.current);
  const cleanups: (() => Promise<unknown>)[] = [];
  const ids = { owner: '', second: '', third: '' };
  beforeAll(async () => {
    // Test databases are copies of one template, but each installation has its own id.
    for (const other of [second, third]) await other.current.sql`UPDATE log_installation SET installation_id = gen_random_uuid()`;
    for (const [name, database] of [['owner', owner] as const, ['second', second] as const, ['third', third] as const]) {
      const [row] = await database.current.sql<{ installation_id: string }[]>`SELECT installation_id FROM log_installation`;
      ids[name] = row?.installation_id ?? '';
    }
    await reservePrefix({ client: harness.kafka.client, database: owner.current, config: harness.config, logger: silentLogger });
  });
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  });

  function start(name: 'relay' | 'dispatcher' | 'standalone', env: Readonly<Record<string, string>>) {
    const main = program(`services/${name}/src/main.ts`);
    const child = spawn(process.execPath, [main], {
      env: {
        ...processEnv,
        DATABASE_URL: second.url,
        LOG_FORMAT: 'json',
        KAFKA_BROKERS: kafka.brokers.join(','),
        SCHEMA_REGISTRY_URL: kafka.registryUrl,
        KAFKA_TOPIC_PREFIX: harness.config.kafkaTopicPrefix,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const exited = once(child, 'exit') as Promise<[number | null, string | null]>;
    cleanups.push(async () => {
      child.kill('SIGTERM');
      await exited;
    });
    const refusals = () =>
      output
        .split('\n')
        .filter((line) => line.includes('"kafka.prefix_in_use"') && line.endsWith('}'))
        .map((line) => JSON.parse(line) as LogLine);
    return { exited, refusals };
  }

  /** One log line names the owner of the topics, the refused installation, and the two solutions. */
  function expectAdvice(line: LogLine | undefined, refused: string = ids.second): void {
    expect(line?.explanation).toContain(`belong to installation ${ids.owner}; this one is ${refused}`);
    expect(line?.explanation).toContain('Choose another KAFKA_TOPIC_PREFIX, or delete the topic');
  }

  test('stops a relay with the reason', async () => {
    const relay = start('relay', { HEALTH_PORT: '0' });
    expect(await relay.exited).toEqual([1, null]);
    expectAdvice(relay.refusals()[0]);
  });

  test('stops a single-process installation with the reason', async () => {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'pulsewire-prefix-'));
    cleanups.push(() => rm(dataDir, { recursive: true, force: true }));
    const [port = 0] = await freePorts(1);
    const settings = { DATA_DIR: dataDir, DEMO: 'off', PORT: String(port), HEALTH_PORT: '0', KAFKA_REPLICATION: '1' };
    const standalone = start('standalone', settings);
    expect(await standalone.exited).toEqual([1, null]);
    expectAdvice(standalone.refusals()[0]);
  });

  test('keeps a dispatcher unready with the reason until the prefix is free', async () => {
    const [healthPort = 0] = await freePorts(1);
    const dispatcher = start('dispatcher', {
      DATABASE_URL: third.url,
      HEALTH_PORT: String(healthPort),
      ENCRYPTION_KEYS: `1:${randomBytes(32).toString('base64')}`,
    });
    const ready = async () => {
      const response = await fetch(`http://127.0.0.1:${healthPort}/health/ready`).catch(() => null);
      return response && { code: response.status, ...((await response.json()) as { checks: Record<string, string> }) };
    };
    await expect.poll(ready, { timeout: 60_000 }).toMatchObject({ code: 503, checks: { kafka_prefix: 'prefix_in_use' } });
    expectAdvice(dispatcher.refusals()[0], ids.third);
    await withAdmin(harness.kafka.client, 'the mark of the owner', (admin) =>
      admin.deleteTopics({ topics: [`${harness.config.kafkaTopicPrefix}installation.${ids.owner}`] }),
    );
    await expect.poll(ready, { timeout: 60_000 }).toMatchObject({ code: 200, checks: { kafka_prefix: 'ok' } });
  });
});
