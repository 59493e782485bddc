import kafkajs, { type Admin } from 'kafkajs';
import pRetry from 'p-retry';
import { readableCompression } from '../client/codecs/codecs.ts';
import { withAdmin } from '../client/admin.ts';
import type { KafkaClient } from '../client/kafka-client.ts';
import type { Topic } from '../records/topics.ts';

/** A difference between a topic and the catalogue. */
export interface TopicFinding {
  readonly topic: string;
  readonly problem: string;
}

/** Resolves when every partition has a leader, or after ten seconds: from then on, writers wait for it. */
async function untilLed(admin: Admin, topics: readonly Topic[]): Promise<void> {
  const readLeaders = async () => {
    const metadata = await admin.fetchTopicMetadata({ topics: topics.map(({ name }) => name) });
    for (const { name, partitions: count } of topics) {
      const partitions = metadata.topics.find((topic) => topic.name === name)?.partitions ?? [];
      if (partitions.length !== count || partitions.some(({ leader }) => leader < 0))
        throw new Error(`Some partitions of ${name} have no leader`);
    }
  };
  await pRetry(readLeaders, { retries: 50, minTimeout: 200, factor: 1 }).catch(() => {});
}

/** Creates missing topics and returns their names. Existing topics are left unchanged. */
export async function createTopics(client: KafkaClient, topics: readonly Topic[]): Promise<readonly string[]> {
  return withAdmin(client, 'topics could not be made', async (admin) => {
    const present = new Set(await admin.listTopics());
    const missing = topics.filter(({ name }) => !present.has(name));
    if (missing.length === 0) return [];
    await admin.createTopics({
      // kafkajs fails at the first broker that does not have the metadata of the topic yet.
      waitForLeaders: false,
      topics: missing.map(({ name, partitions, replication, configs }) => ({
        topic: name,
        numPartitions: partitions,
        replicationFactor: replication,
        configEntries: Object.entries(configs).map(([key, value]) => ({ name: key, value })),
      })),
    });
    await untilLed(admin, missing);
    return missing.map(({ name }) => name);
  });
}

/** Compares the topics with the catalogue; empty when they agree. */
export async function checkTopics(client: KafkaClient, topics: readonly Topic[]): Promise<readonly TopicFinding[]> {
  return withAdmin(client, 'topics could not be checked', async (admin) => {
    const present = new Set(await admin.listTopics());
    const there = topics.filter(({ name }) => present.has(name));
    const findings: TopicFinding[] = topics
      .filter(({ name }) => !present.has(name))
      .map(({ name }) => ({ topic: name, problem: 'is missing' }));
    if (there.length === 0) return findings;
    const metadata = await admin.fetchTopicMetadata({ topics: there.map(({ name }) => name) });
    const configs = await admin.describeConfigs({
      includeSynonyms: false,
      resources: there.map(({ name, configs: wanted }) => ({
        type: kafkajs.ConfigResourceTypes.TOPIC,
        name,
        configNames: Object.keys(wanted),
      })),
    });
    for (const topic of there) {
      const { partitions } = metadata.topics.find(({ name }) => name === topic.name) ?? { partitions: [] };
      const replication = Math.min(...partitions.map(({ replicas }) => replicas.length));
      if (partitions.length !== topic.partitions)
        findings.push({ topic: topic.name, problem: `has ${partitions.length} partitions instead of ${topic.partitions}` });
      if (replication !== topic.replication)
        findings.push({ topic: topic.name, problem: `has ${replication} copies instead of ${topic.replication}` });
      const entries = configs.resources.find(({ resourceName }) => resourceName === topic.name)?.configEntries ?? [];
      for (const [name, wanted] of Object.entries(topic.configs)) {
        const found = entries.find((entry) => entry.configName === name)?.configValue;
        // Another codec is the operator's choice as long as records can be read.
        if (name === 'compression.type' && readableCompression().has(found ?? '')) continue;
        if (found !== wanted) findings.push({ topic: topic.name, problem: `has ${name}=${found ?? 'nothing'} instead of ${wanted}` });
      }
    }
    return findings;
  });
}
