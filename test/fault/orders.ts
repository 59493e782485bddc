import { parseArgs } from 'node:util';
import { runOrderCampaign } from './orders/campaign.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '120' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    'kill-every-ms': { type: 'string', default: '3000' },
    clients: { type: 'string', default: '6' },
  },
});

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());

console.log(
  `orders: ${values.clients} clients for ${values.seconds} s, kill -9 about every ${values['kill-every-ms']} ms, seed ${values.seed}`,
);
const { faults, deaths, kills, observed, refusals, ...figures } = await runOrderCampaign({
  seconds: Number(values.seconds),
  seed: Number(values.seed),
  killEveryMs: Number(values['kill-every-ms']),
  clients: Number(values.clients),
  signal: stopping.signal,
  report: (line) => console.log(`  ${line}`),
});
for (const [what, figure] of Object.entries({ ...figures, ...observed })) console.log(`  ${what}: ${figure}`);
for (const [refusal, count] of refusals) console.log(`  booking refused ${count} times: ${refusal}`);
console.log(`  kills: ${JSON.stringify(kills)}`);
for (const { name, end, lastWords } of deaths) console.log(`  ${name} ended by itself, ${end}: ${lastWords}`);
for (const fault of faults) console.log(`  ${fault}`);
process.exitCode = faults.length === 0 && deaths.length === 0 && figures.isDrained && figures.lost === 0 ? 0 : 1;
