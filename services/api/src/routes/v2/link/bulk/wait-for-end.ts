import { getOperation, type BulkOperation } from '@pulsewire/connections';
import { sleep } from '@pulsewire/kernel';
import type { KeyContext } from '../../../../context/context.ts';

const waitMaxMs = 20_000;
const firstPollMs = 50;
const pollMaxMs = 500;

/** Waits for the end of an operation, at most 20 seconds; returns its current state. */
export async function waitForEnd({ database, clock }: KeyContext, operation: BulkOperation): Promise<BulkOperation> {
  const endMs = clock.monotonicMs() + waitMaxMs;
  let current = operation;
  for (
    let pollMs = firstPollMs;
    current.status === 'in_progress' && clock.monotonicMs() < endMs;
    pollMs = Math.min(pollMs * 2, pollMaxMs)
  ) {
    await sleep(Math.min(pollMs, Math.max(1, endMs - clock.monotonicMs())));
    current = await getOperation(database, operation.teamId, operation.operationId);
  }
  return current;
}
