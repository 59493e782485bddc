import { AppError, noMetrics, silentLogger } from '@pulsewire/kernel';
import type { Database } from '@pulsewire/database';
import { forgetGroup, newGeneration, readLag, reshard } from '@pulsewire/eventlog';
import type { KafkaConfig } from '@pulsewire/kafka/lazy';
import { required, type AdminCommand, type AdminContext } from '../command/command.ts';

/** Throws AppError `partitions_unfit`. */
async function checkPartitions({ sql }: Database, kafka: KafkaConfig, print: AdminContext['print']): Promise<void> {
  const [relayed] = await sql`SELECT 1 FROM log_positions WHERE consumer = 'relay' LIMIT 1`;
  if (kafka.kafkaBrokers.length > 0) {
    const { assertReshardable, openKafka } = await import('@pulsewire/kafka');
    const open = await openKafka({ config: kafka, logger: silentLogger, metrics: noMetrics, retries: 0 });
    await open.close();
    assertReshardable(open.partitions);
  } else if (relayed) print('This log is published to Kafka, but KAFKA_BROKERS is not set here: the number of partitions was not checked.');
}

export const operationCommands: readonly AdminCommand[] = [
  {
    name: 'log lag',
    usage: '[group]',
    about: 'show how far the readers of the log are behind (default group: dispatcher)',
    async run({ database, print }, args) {
      const group = args.positionals[0] ?? 'dispatcher';
      const lag = await readLag(database, group);
      print(`${group}: ${lag.events} events behind, the oldest ${(lag.oldestAgeMs / 1000).toFixed(1)} s old`);
    },
  },
  {
    name: 'log forget',
    usage: '<group>',
    about: 'delete a group of readers that is no longer used; until then, the log keeps the events that they have not read',
    async run({ database, print }, args) {
      print((await forgetGroup(database, required(args, 0, 'group'))) ? 'Deleted.' : 'There is no such group.');
    },
  },
  {
    name: 'log new-generation',
    usage: '',
    about:
      'start a new generation of the log, so that no offset is used twice, after restoring a disk snapshot or after a failover that the server does not report; run it before starting any process',
    async run({ database, print }) {
      const { generation } = await newGeneration(database);
      print(`Started generation ${generation}. Consumers continue from the positions in the database.`);
    },
  },
  {
    name: 'log reshard',
    usage: '<shards>',
    about: 'increase the number of shards to a greater power of two while the services run; it cannot be decreased',
    async run({ database, kafka, print }, args) {
      const wanted = required(args, 0, 'shards');
      if (!/^\d{1,5}$/.test(wanted))
        throw new AppError({ code: 'argument_invalid', kind: 'invalid', message: `<shards> must be a whole number, not ${wanted}` });
      await checkPartitions(database, kafka, print);
      const { generation, shardCount } = await reshard(database, Number(wanted));
      print(`Started generation ${generation} with ${shardCount} shards.`);
    },
  },
];
