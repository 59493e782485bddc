import { parseArgs } from 'node:util';
import { runKafkaCampaign } from './campaign.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '180' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    'kill-every-ms': { type: 'string', default: '6000' },
    'pause-ms': { type: 'string', default: '10' },
    dispatcher: { type: 'string' },
  },
});

console.log(
  `faults over Kafka: ${values.seconds} s of load on three brokers, kill -9 about every ${values['kill-every-ms']} ms, seed ${values.seed}`,
);
const result = await runKafkaCampaign({
  seconds: Number(values.seconds),
  seed: Number(values.seed),
  killEveryMs: Number(values['kill-every-ms']),
  pauseMs: Number(values['pause-ms']),
  ...(values.dispatcher === undefined ? {} : { dispatcherFile: values.dispatcher }),
  report: (line) => console.log(`  ${line}`),
});
const seconds = (ms: number | undefined) => ((ms ?? 0) / 1000).toFixed(1);
const times = [...result.recoveriesMs].map(
  ([kind, all]) => `${kind} ${seconds(all[Math.floor(all.length / 2)])} s (longest ${seconds(all.at(-1))} s)`,
);
const deaths = result.deaths.map(({ name, end }) => `${name} (${end})`);
console.log(
  `  kills: ${Object.entries(result.kills)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')}`,
);
console.log(
  `  committed events: ${result.committed}; lost: ${result.lost}; repeated with the same id: ${result.repeated}; deliveries of nothing committed: ${result.unknown}`,
);
console.log(
  `  wrong signatures: ${result.badSignatures}; repeats with another body: ${result.changedBodies}; rows that differ from the deliveries: ${result.differingRows} of ${result.rows}`,
);
console.log(
  `  on Kafka: ${result.onKafka}; missing: ${result.missingOnKafka}; repeated: ${result.repeatedOnKafka}; out of order: ${result.disorder}; rows that a pipeline has otherwise: ${result.differingOnKafka}`,
);
console.log(`  ended by themselves: ${deaths.length > 0 ? deaths.join(', ') : 'none'}`);
console.log(`  time to recover, median by what was killed: ${times.join(', ')}`);
console.log(`  drained ${result.isDrained ? 'in' : 'NOT within'} ${seconds(result.drainMs)} s`);
const { isDrained, lost, unknown, badSignatures, changedBodies, differingRows, missingOnKafka, disorder, differingOnKafka } = result;
process.exitCode =
  isDrained &&
  [lost, unknown, badSignatures, changedBodies, differingRows, missingOnKafka, disorder, differingOnKafka].every((count) => count === 0)
    ? 0
    : 1;
