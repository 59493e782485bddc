/** The result of one batch: what was done, where the next one starts (null: nothing is left), and the errors of single items. */
interface Batch {
  readonly connections: number;
  readonly next: string | null;
  readonly errors: readonly unknown[];
}

/**
 * Runs a batch after another until nothing is left or the signal aborts; returns how many connections were handled, for the job's log line.
 * An error of a single item does not stop the others: the first one is thrown at the end, so that the run counts as failed.
 */
export async function inBatches(
  signal: AbortSignal,
  runBatch: (after: string | null) => Promise<Batch>,
): Promise<{ connections: number } | undefined> {
  let connections = 0;
  let after: string | null = null;
  const errors: unknown[] = [];
  do {
    const batch: Batch = await runBatch(after);
    connections += batch.connections;
    errors.push(...batch.errors);
    after = batch.next;
  } while (after !== null && !signal.aborted);
  if (errors.length > 0) throw errors[0];
  return connections > 0 ? { connections } : undefined;
}
