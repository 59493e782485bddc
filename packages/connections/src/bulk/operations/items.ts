import { and, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { bulkItems } from '../../model/bulk-tables.ts';

export type ItemOutcome = 'pending' | 'imported' | 'replaced' | 'triggered' | 'failed';

/** Outcome of one recipe or user of an operation. */
export interface BulkItem {
  /** Position in the request, from 0. */
  readonly item: number;
  readonly userId: string;
  readonly outcome: ItemOutcome;
  /** Why it failed. */
  readonly reason: string | null;
}

/** Items after `after` in the order of the request, at most `limit`. The caller has checked the team. */
export async function listItems(
  { orm }: Executor,
  operationId: string,
  { outcome, limit, after }: { readonly outcome: ItemOutcome | null; readonly limit: number; readonly after: number },
): Promise<readonly BulkItem[]> {
  const { item, userId, reason } = bulkItems;
  const ofOutcome = outcome === 'pending' ? isNull(bulkItems.outcome) : outcome === null ? undefined : eq(bulkItems.outcome, outcome);
  const isListed = and(eq(bulkItems.operationId, operationId), gt(item, after), ofOutcome);
  const columns = { item, userId, outcome: bulkItems.outcome, reason };
  const rows = await run(orm.select(columns).from(bulkItems).where(isListed).orderBy(item).limit(limit));
  return rows.map((row) => ({ ...row, outcome: row.outcome ?? 'pending' }));
}

/** Users who were imported and users who failed so far, in the order of the request. */
export async function readImportResult(
  { orm }: Executor,
  operationId: string,
): Promise<{ readonly imported: readonly string[]; readonly failed: readonly string[] }> {
  const { outcome, userId, item } = bulkItems;
  const isCounted = and(eq(bulkItems.operationId, operationId), inArray(outcome, ['imported', 'failed']));
  const userIds = sql<string[]>`array_agg(${userId} ORDER BY ${item})`;
  const rows = await run(orm.select({ outcome, userIds }).from(bulkItems).where(isCounted).groupBy(outcome));
  const of = (wanted: string) => rows.find((row) => row.outcome === wanted)?.userIds ?? [];
  return { imported: of('imported'), failed: of('failed') };
}
