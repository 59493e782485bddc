import { clusterScenario, movePartitions } from './cluster-scenario.ts';

export const rollingBrokers = clusterScenario({
  name: 'rolling-brokers',
  summary: 'the three brokers are shut down and started again one after the other, as for an update',
  async change({ cluster }, round) {
    const broker = cluster.brokers[round % cluster.brokers.length];
    await broker?.stop();
    await broker?.restart();
    return `broker ${broker?.nodeId} was restarted`;
  },
});

export const movedPartitions = clusterScenario({
  name: 'moved-partitions',
  summary: 'every partition of every topic moves to two other brokers, again and again',
  async change(run, round) {
    await movePartitions(run, (partition) => [1 + ((partition + round) % 3), 1 + ((partition + round + 1) % 3)]);
    return 'every partition was moved';
  },
});
