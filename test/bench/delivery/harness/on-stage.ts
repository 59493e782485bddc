import { describeMachine, type BenchOptions, type Line } from '../../report.ts';
import { Stage } from './stage.ts';

const stopSignals = ['SIGINT', 'SIGTERM'] as const;

/** Runs a measurement on a stage of its own, and says on which machine. */
export async function onStage(options: BenchOptions, measure: (stage: Stage) => Promise<readonly Line[]>): Promise<readonly Line[]> {
  const stage = await Stage.open(options);
  // Postgres has a session of its own and would outlive us.
  const leave = () => void stage.close().finally(() => process.exit(130));
  for (const signal of stopSignals) process.once(signal, leave);
  try {
    console.log(`  ${describeMachine(stage.server.describe)}`);
    if (stage.sinkUrl !== undefined) console.log(`  deliveries go to ${stage.sinkUrl}; what came there is read from our own record`);
    const lines = await measure(stage);
    if (stage.sinkUrl !== undefined) {
      const { messages, taken, attempts } = await stage.sent();
      console.log(`  by our record the sink took ${messages} different messages in ${taken} deliveries, of ${attempts} attempts`);
    }
    return lines;
  } finally {
    for (const signal of stopSignals) process.off(signal, leave);
    await stage.close();
  }
}
