import { AppError, uuidv7 } from '@pulsewire/kernel';
import type { Tx } from '@pulsewire/database';

/**
 * Numbers the batches of one recorder and writes the number of each in the transaction that records it, so that a retry detects
 * that the batch was committed although the response to COMMIT was lost.
 */
export class BatchMark {
  readonly #recorderId = uuidv7();
  #last = 0;

  /** The number of the next batch; retries of a batch use the same one. */
  next(): number {
    this.#last += 1;
    return this.#last;
  }

  /**
   * Must be the first statement of the transaction: it waits for an earlier transaction of the same batch that is still committing.
   * Throws AppError `batch_recorded` when the batch is committed already.
   */
  async write({ sql }: Tx, batch: number): Promise<void> {
    const { count } = await sql`
      INSERT INTO webhook_recorders (recorder_id, batch, recorded_at) VALUES (${this.#recorderId}, ${batch}, clock_timestamp())
      ON CONFLICT (recorder_id) DO UPDATE SET batch = EXCLUDED.batch, recorded_at = EXCLUDED.recorded_at
      WHERE webhook_recorders.batch < EXCLUDED.batch`;
    if (count === 0) throw new AppError({ code: 'batch_recorded', kind: 'conflict', message: 'This batch has already been committed' });
  }
}
