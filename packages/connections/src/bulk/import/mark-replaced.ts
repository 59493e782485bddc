import type { Tx } from '@pulsewire/database';

/**
 * Marks every recipe of an upload that a later one of the same user replaces, independent of the batches it arrived in.
 *
 * The statement is joined by `ctid`, which every plan follows directly or by hashing. The rows were inserted a moment ago, so the planner
 * knows nothing about them: by their key it has chosen a nested loop that compares every row with every other one.
 */
export async function markReplaced({ sql }: Tx, operationId: string): Promise<void> {
  await sql`
    UPDATE bulk_items i SET outcome = 'replaced', access_token = NULL, refresh_token = NULL, provider_user_id = NULL
    FROM (
      SELECT ctid AS place, item, max(item) OVER (PARTITION BY user_id) AS last FROM bulk_items WHERE operation_id = ${operationId}
    ) d
    WHERE i.ctid = d.place AND d.item < d.last`;
}
