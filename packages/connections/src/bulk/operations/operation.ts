import { and, desc, eq, isNull, ne, sql } from 'drizzle-orm';
import { run, type Executor, type Tx } from '@pulsewire/database';
import { bulkItems, bulkOperations } from '../../model/bulk-tables.ts';
import { operationNotFound } from './errors.ts';

export type BulkType = 'link_bulk_import' | 'link_bulk_historical_trigger';
export type BulkStatus = 'in_progress' | 'success' | 'failure' | 'aborted';

/** A bulk operation as a team sees it. */
export interface BulkOperation {
  readonly operationId: string;
  readonly teamId: string;
  readonly type: BulkType;
  readonly status: BulkStatus;
  readonly provider: string;
  readonly total: number;
  readonly processed: number;
  /** Why the operation as a whole failed. */
  readonly errorCode: string | null;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
}

/** Every column that a team sees. The provider is null only during the upload, which is invisible to teams. */
const shownColumns = {
  operationId: bulkOperations.operationId,
  teamId: bulkOperations.teamId,
  type: bulkOperations.type,
  status: sql<BulkStatus>`${bulkOperations.status}`,
  provider: sql<string>`${bulkOperations.provider}`,
  total: bulkOperations.total,
  processed: bulkOperations.processed,
  errorCode: bulkOperations.errorCode,
  startedAt: bulkOperations.startedAt,
  endedAt: bulkOperations.endedAt,
};

const isVisible = ne(bulkOperations.status, 'receiving');

/** One operation of the team. Throws AppError `bulk_operation_not_found`, also during its upload. */
export async function getOperation({ orm }: Executor, teamId: string, operationId: string): Promise<BulkOperation> {
  const isWanted = and(eq(bulkOperations.operationId, operationId), eq(bulkOperations.teamId, teamId), isVisible);
  const [row] = await run(orm.select(shownColumns).from(bulkOperations).where(isWanted));
  if (!row) throw operationNotFound();
  return row;
}

/** The position of an operation in the list. */
export type OperationPlace = Pick<BulkOperation, 'startedAt' | 'operationId'>;

/** The team's operations after `after`, newest first. */
export async function listOperations(
  { orm }: Executor,
  { teamId, limit, after }: { readonly teamId: string; readonly limit: number; readonly after: OperationPlace | null },
): Promise<readonly BulkOperation[]> {
  const { startedAt, operationId } = bulkOperations;
  const isAfter = after
    ? sql`(${startedAt}, ${operationId}) < (${after.startedAt.toISOString()}::timestamptz, ${after.operationId}::uuid)`
    : undefined;
  return run(
    orm
      .select(shownColumns)
      .from(bulkOperations)
      .where(and(eq(bulkOperations.teamId, teamId), isVisible, isAfter))
      .orderBy(desc(startedAt), desc(operationId))
      .limit(limit),
  );
}

/** Ends an operation and deletes the tokens of its unprocessed items. */
export async function endOperation(
  tx: Tx,
  operationId: string,
  end: { readonly status: 'success' | 'failure' | 'aborted'; readonly errorCode: string | null; readonly at: Date },
): Promise<void> {
  const ended = { status: end.status, errorCode: end.errorCode, endedAt: end.at, movedAt: sql`clock_timestamp()` };
  await run(tx.orm.update(bulkOperations).set(ended).where(eq(bulkOperations.operationId, operationId)));
  const isOpen = and(eq(bulkItems.operationId, operationId), isNull(bulkItems.outcome));
  await run(tx.orm.update(bulkItems).set({ accessToken: null, refreshToken: null, providerUserId: null }).where(isOpen));
}

/** Counts processed items, and ends the operation with the last one. */
export async function countProcessed(tx: Tx, operationId: string, count: number, at: Date): Promise<{ readonly isOver: boolean }> {
  const { processed, total, status } = bulkOperations;
  const isOver = sql`${processed} + ${count} >= ${total}`;
  const [row] = await run(
    tx.orm
      .update(bulkOperations)
      .set({
        processed: sql`${processed} + ${count}`,
        movedAt: sql`clock_timestamp()`,
        status: sql`CASE WHEN ${isOver} THEN 'success' ELSE ${status} END`,
        endedAt: sql`CASE WHEN ${isOver} THEN ${at.toISOString()}::timestamptz END`,
      })
      .where(and(eq(bulkOperations.operationId, operationId), eq(status, 'in_progress')))
      .returning({ isOver: sql<boolean>`${processed} >= ${total}` }),
  );
  return { isOver: row?.isOver ?? true };
}
