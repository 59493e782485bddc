import { runScenario } from './scenarios/run-scenario.ts';
import { scenarios } from './scenarios/all-scenarios.ts';

const campaigns = [
  { name: '(none)', summary: 'kill -9 of every service process and of Postgres' },
  { name: 'kafka', summary: 'kill -9 of brokers, registry, relays, dispatchers and Postgres' },
  { name: 'custody', summary: 'kill -9 of the processes that refresh tokens' },
  {
    name: 'orders',
    summary: 'kill -9 of the API, the labs process, the dispatcher, Postgres and a lab partner while clients order and book',
  },
];

// `npm run faults` kills service processes and Postgres, `npm run faults -- kafka` also brokers, registry and relays, and
// `npm run faults -- custody` the processes that refresh tokens, `npm run faults -- orders` those that serve lab orders, and their partner.
const scenario = scenarios.find(({ name }) => name === process.argv[2]);
if (process.argv.includes('--list')) {
  for (const { name, summary } of [...campaigns, ...scenarios]) console.log(`${name.padEnd(18)} ${summary}`);
} else if (scenario) {
  await runScenario(scenario, process.argv.slice(3));
} else if (process.argv[2] === 'kafka') {
  process.argv.splice(2, 1);
  await import('./kafka/main.ts');
} else if (process.argv[2] === 'custody') {
  process.argv.splice(2, 1);
  await import('./custody.ts');
} else if (process.argv[2] === 'orders') {
  process.argv.splice(2, 1);
  await import('./orders.ts');
} else {
  await import('./end-to-end.ts');
}
