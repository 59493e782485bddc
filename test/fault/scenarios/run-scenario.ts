import { parseArgs } from 'node:util';
import type { Scenario } from './scenario.ts';

/** Runs a scenario from the command line and prints its result. */
export async function runScenario(scenario: Scenario, args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: 'string', default: '120' },
      seed: { type: 'string', default: String(Date.now() % 100_000) },
      'pause-ms': { type: 'string', default: '15' },
    },
  });
  console.log(`faults, ${scenario.name}: ${scenario.summary}; ${values.seconds} s, seed ${values.seed}`);
  const { committed, lost, figures, problems } = await scenario.run({
    seconds: Number(values.seconds),
    seed: Number(values.seed),
    pauseMs: Number(values['pause-ms']),
    report: (line) => console.log(`  ${line}`),
  });
  for (const [name, figure] of Object.entries({ 'committed events': committed, lost, ...figures })) console.log(`  ${name}: ${figure}`);
  console.log(`  ${problems.length === 0 ? 'everything that is promised held' : `NOT as promised: ${problems.join(', ')}`}`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
