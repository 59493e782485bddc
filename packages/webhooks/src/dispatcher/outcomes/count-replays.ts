import { plainArray, type Tx } from '@pulsewire/database';
import type { RecordItem } from '../delivery/delivery.ts';

/** Updates the counters of replays in the transaction that records their deliveries. */
export async function countReplays({ sql }: Tx, items: readonly RecordItem[]): Promise<void> {
  const counts = new Map<string, { delivered: number; exhausted: number }>();
  for (const { attempt, delivery } of items) {
    if (delivery.replayId === null || (attempt?.outcome !== 'delivered' && attempt?.outcome !== 'exhausted')) continue;
    const count = counts.get(delivery.replayId) ?? { delivered: 0, exhausted: 0 };
    count[attempt.outcome] += 1;
    counts.set(delivery.replayId, count);
  }
  if (counts.size === 0) return;
  const values = [...counts.values()];
  await sql`
    UPDATE webhook_replays r SET delivered = r.delivered + c.delivered, exhausted = r.exhausted + c.exhausted
    FROM unnest(${plainArray([...counts.keys()])}::uuid[], ${plainArray(values.map((one) => one.delivered))}::int[],
                ${plainArray(values.map((one) => one.exhausted))}::int[]) AS c(replay_id, delivered, exhausted)
    WHERE r.replay_id = c.replay_id`;
}
