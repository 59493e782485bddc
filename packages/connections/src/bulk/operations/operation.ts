import { and, desc, eq, ne, sql } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { bulkOperations } from '../../model/bulk-tables.ts';
import type { BulkStatus } from '../operation-status/transitions.ts';
import { operationNotFound } from './errors.ts';

export type BulkType = 'link_bulk_import' | 'link_bulk_historical_trigger';

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
