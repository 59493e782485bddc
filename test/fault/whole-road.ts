import { parseArgs } from 'node:util';
import { runCampaign } from './campaign.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '180' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    'kill-every-ms': { type: 'string', default: '4000' },
    'pause-ms': { type: 'string', default: '4' },
  },
});

console.log(
  `faults: ${values.seconds} s of load, kill -9 of a process or of Postgres about every ${values['kill-every-ms']} ms, seed ${values.seed}`,
);
const result = await runCampaign({
  seconds: Number(values.seconds),
  seed: Number(values.seed),
  killEveryMs: Number(values['kill-every-ms']),
  pauseMs: Number(values['pause-ms']),
  report: (line) => console.log(`  ${line}`),
});
console.log(
  `  kills: ${Object.entries(result.kills)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')}`,
);
const deaths = Object.entries(result.deaths).map(([name, count]) => `${name} ${count}`);
console.log(`  ended by themselves: ${deaths.length > 0 ? deaths.join(', ') : 'none'}`);
console.log(
  `  committed events: ${result.committed}; lost: ${result.lost}; repeated with the same id: ${result.repeated}; refused once by the receiver: ${result.refusedOnce}`,
);
console.log(
  `  wrong signatures: ${result.badSignatures}; repeats with another body: ${result.changedBodies}; deliveries of nothing committed: ${result.unknown}`,
);
console.log(`  rows rebuilt from the deliveries that differ from the stored ones: ${result.differingRows} of ${result.rows}`);
console.log(`  connections in error although every account consents: ${result.brokenConnections}`);
console.log(`  drained ${result.isDrained ? 'in' : 'NOT within'} ${(result.drainMs / 1000).toFixed(1)} s`);
const isGood =
  result.isDrained &&
  result.lost === 0 &&
  result.unknown === 0 &&
  result.differingRows === 0 &&
  result.badSignatures === 0 &&
  result.changedBodies === 0 &&
  result.brokenConnections === 0;
process.exitCode = isGood ? 0 : 1;
