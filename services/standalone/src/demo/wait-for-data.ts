import { sleep } from '@pulsewire/kernel';
import type { DemoContext, DemoStatus } from './client/demo-context.ts';
import { count } from './client/narrator.ts';

const pollMs = 500;
const historyMaxMs = 15 * 60_000;
const liveMaxMs = 60_000;

/** Waits until the history is pulled and delivered, for a quarter of an hour at most, and prints the progress. */
export async function waitForHistory(
  { narrator, clock, simulation }: DemoContext,
  readStatus: () => Promise<DemoStatus>,
  users: number,
  signal: AbortSignal,
): Promise<void> {
  const deadlineMs = clock.monotonicMs() + historyMaxMs;
  while (!signal.aborted && clock.monotonicMs() < deadlineMs) {
    const status = await readStatus();
    const isPulled = status.windowsTotal > 0 && status.windowsDone + status.windowsFailed >= status.windowsTotal;
    if (isPulled && status.undelivered === 0) return;
    const waiting = status.windowsWaitingForQuota > 0 ? `; ${status.windowsWaitingForQuota} windows wait for the provider's quota` : '';
    narrator.progress(
      `  history of ${users} users: ${status.windowsDone} of ${status.windowsTotal} windows, ${count(status.samples)} samples, ${count(simulation.receiver.statistics().accepted)} deliveries${waiting}`,
    );
    await sleep(pollMs, signal);
  }
}

/** Waits until a new and a corrected value have arrived, for a minute at most. */
export async function waitForLive(
  { simulation, clock }: DemoContext,
  before: Readonly<Record<string, number>>,
  signal: AbortSignal,
): Promise<void> {
  const deadlineMs = clock.monotonicMs() + liveMaxMs;
  const grown = (suffix: string, base: Readonly<Record<string, number>>) => {
    const total = (counts: Readonly<Record<string, number>>) =>
      Object.entries(counts).reduce((sum, [type, value]) => sum + (type.startsWith('daily.') && type.endsWith(suffix) ? value : 0), 0);
    return total(simulation.receiver.statistics().byEventType) > total(base);
  };
  const atStart = simulation.receiver.statistics().byEventType;
  while (!signal.aborted && clock.monotonicMs() < deadlineMs) {
    if (grown('.created', atStart) && grown('.updated', before)) return;
    await sleep(pollMs, signal);
  }
}
