import { sleep } from '@pulsewire/kernel';
import { forgetGroup, readLag } from '@pulsewire/eventlog';
import { checkClusterTopics, relayGroup, topicCatalogue } from '@pulsewire/kafka';
import { withAdmin } from '@pulsewire/kafka/client';
import kafkajs from 'kafkajs';
import { Rebuild, followTopic } from '../../pipeline/rebuild.ts';
import { clusterScenario, lackingIn, lossesReported, movePartitions, type ClusterRun } from './cluster-scenario.ts';
import { extend } from './load.ts';
import type { KafkaHarness } from './with-kafka.ts';

/** Longer than a broker's session, so that a dead broker leaves the replicas in sync. */
const outOfSyncMs = 8000;
const setting = 'unclean.leader.election.enable';

/** Lets a replica that lags behind lead the event topic, as operators do to whom availability matters more. */
async function allowLoss({ kafka, config }: KafkaHarness): Promise<void> {
  const events = topicCatalogue(config).find(({ name }) => name === kafka.names.events);
  const configs = { ...events?.configs, 'min.insync.replicas': '1', [setting]: 'true' };
  const configEntries = Object.entries(configs).map(([name, value]) => ({ name, value }));
  await withAdmin(kafka.client, 'settings were not changed', (admin) =>
    admin.alterConfigs({
      validateOnly: false,
      resources: [{ type: kafkajs.ConfigResourceTypes.TOPIC, name: kafka.names.events, configEntries }],
    }),
  );
}

/** Number of committed events that someone lacks who reads the topic from its start. */
async function lackingFromStart({ config, kafka, judge }: ClusterRun): Promise<number> {
  const late = new Rebuild();
  const follower = await followTopic(config, kafka.names.events, `late.${Date.now()}`, late);
  const lacking = await lackingIn(late, judge);
  await follower.stop();
  return lacking;
}

/** What `deploy/README.md` tells an operator to do under "Publish everything again". */
async function publishAgain({ load, judge }: ClusterRun): Promise<void> {
  const relays = load.children.filter(({ name }) => name.startsWith('relay'));
  await Promise.all(relays.map((relay) => relay.stop()));
  await forgetGroup(judge, relayGroup);
  for (const relay of relays) relay.start();
  do await sleep(500);
  while ((await readLag(judge, relayGroup)).events > 0);
}

export const uncleanLeaders = clusterScenario({
  name: 'unclean-leaders',
  summary: 'a replica that lags behind becomes the leader of every partition of the events, so that acknowledged records are gone',
  async prepare(harness) {
    await allowLoss(harness);
    await movePartitions(harness, () => [1, 2], [harness.kafka.names.events]);
  },
  async change({ cluster }, round) {
    // The third broker keeps the majority of the controllers together with one of the two.
    const [leader, follower] = round % 2 === 0 ? [cluster.brokers[0], cluster.brokers[1]] : [cluster.brokers[1], cluster.brokers[0]];
    await follower?.kill();
    await sleep(outOfSyncMs);
    await leader?.kill();
    await follower?.restart();
    await sleep(outOfSyncMs);
    await leader?.restart();
    return `broker ${follower?.nodeId} led without the records of broker ${leader?.nodeId}`;
  },
  async judge(run, result) {
    const findings = await checkClusterTopics(run.kafka.client, run.config);
    const isNamed = findings.some(({ topic, problem }) => topic === run.kafka.names.events && problem.includes(setting));
    const reports = lossesReported(run.load);
    const lost = await lackingFromStart(run);
    await publishAgain(run);
    const lostForGood = await lackingFromStart(run);
    const lostToPipeline = await lackingIn(run.pipeline, run.judge);
    return extend(
      result,
      {
        'partitions whose loss relays reported, all elections together': reports,
        'acknowledged by Kafka, but lost to a reader from the start': lost,
        'the same after everything was published again': lostForGood,
        'lost to a pipeline that read all the time, then': lostToPipeline,
      },
      [
        ['Kafka lost nothing, so nothing was tested', lost === 0],
        ['no relay reported that records were lost', reports === 0],
        ['`topics check` did not report the setting', !isNamed],
        ['publishing again left events missing on Kafka', lostForGood + lostToPipeline > 0],
      ],
    );
  },
});
