import { describeMachine, type BenchOptions, type Line } from '../../report.ts';
import { Harness } from './harness.ts';

const stopSignals = ['SIGINT', 'SIGTERM'] as const;

/** Runs a measurement on a new harness, and prints the machine. */
export async function withHarness(
  options: BenchOptions,
  measure: (harness: Harness) => Promise<readonly Line[]>,
): Promise<readonly Line[]> {
  const harness = await Harness.open(options);
  // Postgres has a session of its own and would outlive us.
  const leave = () => void harness.close().finally(() => process.exit(130));
  for (const signal of stopSignals) process.once(signal, leave);
  try {
    console.log(`  ${describeMachine(harness.server.describe)}`);
    if (harness.sinkUrl !== undefined) console.log(`  deliveries go to ${harness.sinkUrl}; what came there is read from our own record`);
    const lines = await measure(harness);
    if (harness.sinkUrl !== undefined) {
      const { messages, taken, attempts } = await harness.sent();
      console.log(`  by our record the sink took ${messages} different messages in ${taken} deliveries, of ${attempts} attempts`);
    }
    return lines;
  } finally {
    for (const signal of stopSignals) process.off(signal, leave);
    await harness.close();
  }
}
