import pRetry from 'p-retry';
import { AppError, errorCode, isAppError, type Logger } from '@pulsewire/kernel';
import type { Database } from '@pulsewire/database';
import { readIdentity } from '@pulsewire/eventlog';
import { withAdmin } from '../client/admin.ts';
import type { KafkaClient } from '../client/kafka-client.ts';
import type { KafkaConfig } from '../config/kafka-config.ts';

/**
 * Marks the topic prefix as belonging to this installation with an empty topic that has the installation's id in its name, visible to
 * broker clients without reading records. Throws AppError `prefix_in_use` when another installation has it: with the same prefix the two
 * would share a consumer group, and each would take half of the other's partitions.
 */
export async function reservePrefix(options: {
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
        'kafka.prefix_mark_failed',
      );
      return;
    }
  }
  // Of two installations that marked it at the same moment, the alphabetically first one wins.
  const [owner = ours] = before.length === 0 ? await listUntilVisible(list, ours) : before;
  if (owner === ours) return;
  if (before.length === 0) await withAdmin(client, 'the prefix could not be left', (admin) => admin.deleteTopics({ topics: [ours] }));
  throw new AppError({
    code: 'prefix_in_use',
    kind: 'conflict',
    message: `The topics ${config.kafkaTopicPrefix}* belong to installation ${owner.slice(base.length)}; this one is ${installationId}. Choose another KAFKA_TOPIC_PREFIX, or delete the topic ${owner} if that installation is gone`,
  });
}

/**
 * Lists until the created topic is in the list. Brokers learn of a new topic with a delay; before this one shows its own, it may not show
 * an earlier one of another installation either.
 */
async function listUntilVisible(list: () => Promise<readonly string[]>, created: string): Promise<readonly string[]> {
  return pRetry(
    async () => {
      const names = await list();
      if (!names.includes(created)) throw new Error(`The brokers do not list the new topic ${created} yet`);
      return names;
    },
    { retries: 50, minTimeout: 100, factor: 1 },
  );
}

/** What to do when the topic that marks the prefix cannot be created. */
export function whyNotMarked(error: unknown, topic: string, prefix: string): string {
  const type = isAppError(error) ? error.details['type'] : undefined;
  const effect = `Until it exists, a second installation with the prefix ${prefix} is not detected.`;
  if (type === 'TOPIC_AUTHORIZATION_FAILED' || type === 'CLUSTER_AUTHORIZATION_FAILED')
    return `The Kafka user lacks the right \`Create\` on topics with the prefix ${prefix}, so the topic ${topic} cannot be created. Grant it (kafka-acls.sh --add --operation Create --topic ${prefix} --resource-pattern-type prefixed), or create the topic by hand. ${effect}`;
  return `The topic ${topic} cannot be created${typeof type === 'string' ? `: the brokers return ${type}` : ''}. Create it by hand. ${effect}`;
}
