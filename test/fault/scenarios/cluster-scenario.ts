import { sleep } from '@pulsewire/kernel';
import type { Database } from '@pulsewire/database';
import { topicCatalogue } from '@pulsewire/kafka';
import { withAdmin } from '@pulsewire/kafka/client';
import { Rebuild, followTopic } from '../../pipeline/rebuild.ts';
import { createLoad, extend, type Load } from './load.ts';
import { withKafka, type KafkaHarness } from './with-kafka.ts';
import type { Scenario, ScenarioResult } from './scenario.ts';

const betweenMs = 3000;
const readWithinMs = 60_000;

export interface ClusterRun extends KafkaHarness {
  readonly load: Load;
  /** What a pipeline has read from the event topic, from before the load on. */
  readonly pipeline: Rebuild;
}

export interface ClusterChange {
  readonly name: string;
  readonly summary: string;
  /** Before the load. */
  prepare?(harness: KafkaHarness): Promise<void>;
  /** One change; returns it in words. */
  change(run: ClusterRun, round: number): Promise<string>;
  /** Judges what readers of Kafka got, once the webhooks are judged. */
  judge?(run: ClusterRun, result: ScenarioResult): Promise<ScenarioResult>;
}

/** Three brokers, two relays and two dispatchers under load while the cluster changes. */
export function clusterScenario({ name, summary, prepare, change, judge = judgePipeline }: ClusterChange): Scenario {
  return {
    name,
    summary,
    run: (options) =>
      withKafka(async (harness) => {
        await prepare?.(harness);
        const pipeline = new Rebuild();
        const follower = await followTopic(harness.config, harness.kafka.names.events, 'pipeline', pipeline);
        const load = await createLoad({ ...options, ...harness, services: ['relay 1', 'relay 2'] });
        const run = { ...harness, load, pipeline };
        let changes = 0;
        try {
          load.start();
          await load.arriving();
          const endMs = performance.now() + options.seconds * 1000;
          do {
            const words = await change(run, changes);
            changes += 1;
            options.report(`${words}; ${load.witness.sightings.size} messages so far`);
            await sleep(betweenMs);
          } while (performance.now() < endMs);
          return extend(await judge(run, await load.finish()), { changes });
        } finally {
          await load.close();
          await follower.stop();
        }
      }, 3),
  };
}

/** Number of committed events that a pipeline still lacks a minute later, or 0 as soon as it has them all. */
export async function lackingIn(pipeline: Rebuild, { sql }: Database): Promise<number> {
  const rows = await sql<{ event_id: string }[]>`SELECT event_id FROM log_events WHERE user_id IS NOT NULL`;
  for (let waitedMs = 0; ; waitedMs += 200) {
    const lacking = rows.filter(({ event_id: id }) => !pipeline.hasSeen(id)).length;
    if (lacking === 0 || waitedMs >= readWithinMs) return lacking;
    await sleep(200);
  }
}

/** How often relays reported that Kafka had lost records of a partition. */
export function lossesReported({ children }: Load): number {
  return children.reduce((sum, child) => sum + child.logged('kafka.records_lost'), 0);
}

async function judgePipeline({ judge, load, pipeline }: ClusterRun, result: ScenarioResult): Promise<ScenarioResult> {
  const missing = await lackingIn(pipeline, judge);
  return extend(result, { 'on Kafka': pipeline.events, 'missing on Kafka': missing, 'out of order on Kafka': pipeline.disorder }, [
    ['events missing on Kafka', missing > 0],
    ['order on Kafka broken', pipeline.disorder > 0],
    ['a loss was reported that did not happen', lossesReported(load) > 0],
  ]);
}

/** Moves every partition of the topics to the brokers that `replicasOf` names, and resolves when they have moved. */
export async function movePartitions(
  { kafka, config }: KafkaHarness,
  replicasOf: (partition: number) => number[],
  names: readonly string[] = topicCatalogue(config).map(({ name }) => name),
): Promise<void> {
  const partitionAssignment = Array.from({ length: config.kafkaPartitions }, (_, partition) => ({
    partition,
    replicas: replicasOf(partition),
  }));
  await withAdmin(kafka.client, 'partitions were not moved', (admin) =>
    admin.alterPartitionReassignments({ topics: names.map((topic) => ({ topic, partitionAssignment })) }),
  );
  const areMoving = () =>
    withAdmin(kafka.client, 'moves were not listed', async (admin) => (await admin.listPartitionReassignments({})).topics.length > 0);
  while (await areMoving()) await sleep(200);
}
