import type { Tx } from '@pulsewire/database';
import { uuidv7 } from '@pulsewire/kernel';
import { expect, it } from 'vitest';
import { claimDue } from '../../../packages/webhooks/src/dispatcher/retries/claim-due.ts';
import { useDatabase } from '../../support/database.ts';

const file = useDatabase();

/** Rows of the table that this connection has read recently, by any access path. */
async function rowsRead({ sql }: Tx): Promise<number> {
  const [read] = await sql<{ rows: number }[]>`
    SELECT (seq_tup_read + idx_tup_fetch)::int AS rows FROM pg_stat_xact_user_tables WHERE relname = 'webhook_pending'`;
  return read?.rows ?? 0;
}

it.each([
  ['the ones that have waited longest', { capacity: 64, newest: 0 }, 64],
  ['probes of an endpoint that fails', { capacity: 4, newest: 2 }, 4],
])('a claim of %s reads no more because many rows are due', async (_name, ask, count) => {
  const { sql } = file.current;
  const endpointId = uuidv7();
  await sql`
    INSERT INTO webhook_pending (endpoint_id, event_id, shard, "offset", log_day, attempts, due_at, event_type)
    SELECT ${endpointId}, gen_random_uuid(), 1, i, '2026-01-05', i % 3, now() - i * interval '1 ms', 'type.' || i % 50 FROM generate_series(1, 60000) i`;
  // With fresh statistics Postgres may choose another plan.
  await sql`ANALYZE webhook_pending`;
  await file.current.transaction(async (tx) => {
    const before = await rowsRead(tx);
    const rows = await claimDue(tx, 'retry', [{ endpointId, ...ask }], { owner: 'someone', leaseMs: 60_000, endBefore: 'infinity' });
    expect(rows).toHaveLength(count);
    expect((await rowsRead(tx)) - before).toBeLessThan(2000);
  });
});
