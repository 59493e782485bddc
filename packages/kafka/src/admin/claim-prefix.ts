import { AppError, errorCode, isAppError, type Logger } from '@pulsewire/kernel';
import type { Database } from '@pulsewire/database';
import { readIdentity } from '@pulsewire/eventlog';
import { withAdmin } from '../client/admin.ts';
import type { KafkaClient } from '../client/kafka-client.ts';
import type { KafkaConfig } from '../config/kafka-config.ts';

/**
 * Marks the topic prefix as this installation's, by an empty topic with its id in the name, which broker clients can see without reading
 * anything. Throws AppError `prefix_in_use` when another installation has it: with one prefix the two would share a consumer group, and
 * each would take half of the other's partitions.
 */
export async function claimPrefix(options: {
  readonly client: KafkaClient;
  readonly database: Database;
  readonly config: Pick<KafkaConfig, 'kafkaTopicPrefix' | 'kafkaReplication'>;
  readonly logger: Logger;
}): Promise<void> {
  const { client, config, logger } = options;
  const { installationId } = await readIdentity(options.database);
  const base = `${config.kafkaTopicPrefix}installation.`;
  const ours = base + installationId;
  const list = () =>
    withAdmin(client, 'topics could not be listed', async (admin) =>
      (await admin.listTopics()).filter((name) => name.startsWith(base)).sort(),
    );
  const before = await list();
  if (before.length === 0) {
    try {
      await withAdmin(client, 'the prefix could not be marked', async (admin) => {
        const brokers = (await admin.describeCluster()).brokers.length;
        const replicationFactor = Math.min(config.kafkaReplication, brokers);
        await admin.createTopics({ waitForLeaders: false, topics: [{ topic: ours, numPartitions: 1, replicationFactor }] });
      });
    } catch (error) {
      // Without the right to create topics an operator has to create it; until then a second installation is not detected.
      logger.warn(
        { topic: ours, errorCode: errorCode(error), explanation: whyNotMarked(error, ours, config.kafkaTopicPrefix) },
        'kafka.prefix_not_marked',
      );
      return;
    }
  }
  // Of two installations that marked it at the same moment, the alphabetically first one wins.
  const [owner = ours] = before.length === 0 ? await list() : before;
  if (owner === ours) return;
  if (before.length === 0) await withAdmin(client, 'the prefix could not be left', (admin) => admin.deleteTopics({ topics: [ours] }));
  throw new AppError({
    code: 'prefix_in_use',
    kind: 'conflict',
    message: `The topics ${config.kafkaTopicPrefix}* belong to installation ${owner.slice(base.length)}; this one is ${installationId}. Choose another KAFKA_TOPIC_PREFIX, or delete the topic ${owner} if that installation is gone`,
  });
}

/** What to do when the topic that marks the prefix cannot be created. */
export function whyNotMarked(error: unknown, topic: string, prefix: string): string {
  const type = isAppError(error) ? error.details['type'] : undefined;
  const effect = `Until it is there, a second installation with the prefix ${prefix} is not noticed.`;
  if (type === 'TOPIC_AUTHORIZATION_FAILED' || type === 'CLUSTER_AUTHORIZATION_FAILED')
    return `The Kafka user lacks the right \`Create\` on topics with the prefix ${prefix}, so the topic ${topic} cannot be made. Grant it (kafka-acls.sh --add --operation Create --topic ${prefix} --resource-pattern-type prefixed), or create the topic by hand. ${effect}`;
  return `The topic ${topic} cannot be made${typeof type === 'string' ? `: the brokers answer ${type}` : ''}. Create it by hand. ${effect}`;
}
