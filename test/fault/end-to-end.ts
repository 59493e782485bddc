import { parseArgs } from 'node:util';
import { runCampaign } from './campaign.ts';
import { describeCampaign, isGood } from './describe-campaign.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '180' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    'kill-every-ms': { type: 'string', default: '4000' },
    'pause-ms': { type: 'string', default: '4' },
    sink: { type: 'string' },
  },
});
if (values.sink !== undefined && !URL.canParse(values.sink)) throw new Error('--sink takes the URL of a receiver');

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());

console.log(
  `faults: ${values.seconds} s of load, kill -9 of a process or of Postgres about every ${values['kill-every-ms']} ms, seed ${values.seed}`,
);
const result = await runCampaign({
  seconds: Number(values.seconds),
  seed: Number(values.seed),
  killEveryMs: Number(values['kill-every-ms']),
  pauseMs: Number(values['pause-ms']),
  ...(values.sink !== undefined && { sink: values.sink }),
  signal: stopping.signal,
  report: (line) => console.log(`  ${line}`),
});
for (const line of describeCampaign(result)) console.log(`  ${line}`);
process.exitCode = isGood(result) ? 0 : 1;
