import type { KafkaConfig } from '@pulsewire/kafka/lazy';
import { AppError, noMetrics, silentLogger } from '@pulsewire/kernel';
import type { AdminCommand, AdminContext } from '../command/command.ts';

// Imported only by the commands that need it, so that an installation without Kafka never loads its client.
const load = () => import('@pulsewire/kafka');

function requireBrokers(kafka: KafkaConfig): void {
  if (kafka.kafkaBrokers.length > 0) return;
  throw new AppError({ code: 'config_invalid', kind: 'invalid', message: 'This command needs KAFKA_BROKERS' });
}

async function withClient<T>(
  kafka: KafkaConfig,
  work: (client: ReturnType<Awaited<ReturnType<typeof load>>['createKafkaClient']>) => Promise<T>,
): Promise<T> {
  requireBrokers(kafka);
  const { connectionOf, createKafkaClient } = await load();
  const client = createKafkaClient(await connectionOf(kafka), { logger: silentLogger });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

function fail(message: string): never {
  throw new AppError({ code: 'check_failed', kind: 'conflict', message });
}

/** Commands for Kafka, its schemas and quarantined events. `kafkaOf` returns the settings of this run. */
export function topicCommands(kafkaOf: (context: AdminContext) => KafkaConfig): readonly AdminCommand[] {
  return [
    {
      name: 'topics create',
      usage: '',
      about: 'create missing topics; required when deploying with Kafka',
      async run(context) {
        const kafka = kafkaOf(context);
        const { createTopics, topicsForCluster } = await load();
        const { made, copies, brokers } = await withClient(kafka, async (client) => {
          const cluster = await topicsForCluster(client, kafka);
          return { ...cluster, made: await createTopics(client, cluster.topics) };
        });
        for (const name of made) context.print(`created ${name}`);
        if (made.length > 0 && copies < kafka.kafkaReplication)
          context.print(`With ${copies} instead of ${kafka.kafkaReplication} replicas, because there are ${brokers} brokers.`);
        context.print(made.length === 0 ? 'All topics exist.' : 'Done.');
      },
    },
    {
      name: 'topics check',
      usage: '',
      about: 'check the topics against their expected settings',
      async run(context) {
        const kafka = kafkaOf(context);
        const { checkClusterTopics } = await load();
        const findings = await withClient(kafka, (client) => checkClusterTopics(client, kafka));
        for (const { topic, problem } of findings) context.print(`${topic} ${problem}`);
        if (findings.length > 0) fail('Topics differ from their expected settings');
        context.print('All topics have their expected settings.');
      },
    },
    {
      name: 'schemas register',
      usage: '',
      about: 'register the schemas of all records as FULL_TRANSITIVE; required when deploying with Kafka',
      async run(context) {
        const kafka = kafkaOf(context);
        const { registerSchemas, registryOf } = await load();
        context.print(`${await registerSchemas(registryOf(kafka), kafka.kafkaTopicPrefix)} subjects are registered.`);
      },
    },
    {
      name: 'schemas check',
      usage: '',
      about: "list this version's schemas that are not registered",
      async run(context) {
        const kafka = kafkaOf(context);
        const { checkSchemas, registryOf } = await load();
        const missing = await checkSchemas(registryOf(kafka), kafka.kafkaTopicPrefix);
        for (const line of missing) context.print(`not registered: ${line}`);
        if (missing.length > 0) fail('Schemas are missing; run `schemas register`');
        context.print('All schemas are registered.');
      },
    },
    {
      name: 'poison list',
      usage: '',
      about: 'list the events that could not be published or read, with the reason',
      async run({ database, print }) {
        const { listPoison } = await load();
        const records = await listPoison(database);
        for (const { consumer, shard, offset, eventType, eventId, reason, detail, setAsideAt } of records) {
          print(
            `${setAsideAt.toISOString()}  ${consumer}  shard ${shard} sequence ${offset}  ${eventType ?? '?'}  ${eventId ?? '?'}  ${reason} ${detail}`.trimEnd(),
          );
        }
        if (records.length === 0) print('No event is quarantined.');
      },
    },
    {
      name: 'poison redrive',
      usage: '',
      about: 'republish quarantined events, with the same ids and sequences',
      async run(context) {
        const kafka = kafkaOf(context);
        requireBrokers(kafka);
        const { openKafka, redrivePoison } = await load();
        const open = await openKafka({ config: kafka, logger: silentLogger, metrics: noMetrics });
        const producer = open.createProducer();
        try {
          const outcome = await redrivePoison({
            database: context.database,
            writer: open.writer,
            producer,
            topicPrefix: kafka.kafkaTopicPrefix,
          });
          context.print(
            `${outcome.published} published (${outcome.superseded} of them not as state, because newer state exists), ${outcome.refused} still refused, ${outcome.gone} no longer in the log`,
          );
        } finally {
          await producer.close();
          await open.close();
        }
      },
    },
  ];
}
