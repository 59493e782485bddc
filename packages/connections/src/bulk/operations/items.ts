import type { Executor } from '@pulsewire/database';

export type ItemOutcome = 'pending' | 'imported' | 'replaced' | 'triggered' | 'failed';

/** What came of one recipe or user of an operation. */
export interface BulkItem {
  /** Place in the request, from 0. */
  readonly item: number;
  readonly userId: string;
  readonly outcome: ItemOutcome;
  /** Why it failed. */
  readonly reason: string | null;
}

/** Items behind `after` in the order of the request, `limit` at most. The caller has made sure of the team. */
export async function listItems(
  { sql }: Executor,
  operationId: string,
  { outcome, limit, after }: { readonly outcome: ItemOutcome | null; readonly limit: number; readonly after: number },
): Promise<readonly BulkItem[]> {
  return sql<BulkItem[]>`
    SELECT item, user_id AS "userId", coalesce(outcome, 'pending') AS outcome, reason FROM bulk_items
    WHERE operation_id = ${operationId} AND item > ${after} AND (${outcome}::text IS NULL OR coalesce(outcome, 'pending') = ${outcome})
    ORDER BY item LIMIT ${limit}`;
}

/** Who was imported and who was not, as far as it is known, in the order of the request. */
export async function readImportResult(
  { sql }: Executor,
  operationId: string,
): Promise<{ readonly imported: readonly string[]; readonly failed: readonly string[] }> {
  const rows = await sql<{ outcome: string; user_ids: string[] }[]>`
    SELECT outcome, array_agg(user_id ORDER BY item) AS user_ids FROM bulk_items
    WHERE operation_id = ${operationId} AND outcome IN ('imported', 'failed') GROUP BY outcome`;
  const of = (outcome: string) => rows.find((row) => row.outcome === outcome)?.user_ids ?? [];
  return { imported: of('imported'), failed: of('failed') };
}
