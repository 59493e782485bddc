import type { DemoContext, DemoStatus } from './client/demo-context.ts';
import { count } from './client/narrator.ts';

/** Prints what is stored and what the receiver got. */
export async function printSummary(
  { narrator, clock, simulation }: DemoContext,
  status: DemoStatus,
  users: number,
  startedMs: number,
): Promise<void> {
  const received = simulation.receiver.statistics();
  const seconds = Math.max(1, (clock.monotonicMs() - startedMs) / 1000);
  narrator.say(
    `  ${users} users, ${count(status.samples)} samples and ${count(status.summaries)} summaries stored, ${count(status.events)} events in the log.`,
  );
  narrator.say(
    `  Since this start, ${Math.round(seconds)} s ago: ${count(received.accepted)} deliveries with a valid signature, ${count(received.rejected)} with an invalid one, ${count(received.repeated)} repeated; ${(received.accepted / seconds).toFixed(1)} deliveries/s.`,
  );
  narrator.say(`  Failed attempts: ${count(status.failedAttempts)}; undelivered: ${count(status.undelivered)}.`);
  if (status.windowsFailed > 0)
    narrator.say(`  ${status.windowsFailed} windows of history were given up; the reasons are stored with them.`);
}
