import type { Executor, Tx } from '@pulsewire/database';
import { toDate, toDateOrNull } from '../../model/rows.ts';
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
  /** Why the operation itself broke. */
  readonly errorCode: string | null;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
}

interface OperationRow {
  readonly operation_id: string;
  readonly team_id: string;
  readonly type: BulkType;
  readonly status: BulkStatus;
  readonly provider: string;
  readonly total: number;
  readonly processed: number;
  readonly error_code: string | null;
  readonly started_at: string;
  readonly ended_at: string | null;
}

function toOperation(row: OperationRow): BulkOperation {
  return {
    operationId: row.operation_id,
    teamId: row.team_id,
    type: row.type,
    status: row.status,
    provider: row.provider,
    total: row.total,
    processed: row.processed,
    errorCode: row.error_code,
    startedAt: toDate(row.started_at),
    endedAt: toDateOrNull(row.ended_at),
  };
}

/** One operation of the team. Throws AppError `bulk_operation_not_found`, also while its body is still coming in. */
export async function getOperation({ sql }: Executor, teamId: string, operationId: string): Promise<BulkOperation> {
  const [row] = await sql<OperationRow[]>`
    SELECT * FROM bulk_operations WHERE operation_id = ${operationId} AND team_id = ${teamId} AND status <> 'receiving'`;
  if (!row) throw operationNotFound();
  return toOperation(row);
}

/** The place of an operation in the list. */
export type OperationPlace = Pick<BulkOperation, 'startedAt' | 'operationId'>;

/** The team's operations, newest first, those behind `after`. */
export async function listOperations(
  { sql }: Executor,
  { teamId, limit, after }: { readonly teamId: string; readonly limit: number; readonly after: OperationPlace | null },
): Promise<readonly BulkOperation[]> {
  const from = after ? sql`AND (started_at, operation_id) < (${after.startedAt.toISOString()}, ${after.operationId})` : sql``;
  const rows = await sql<OperationRow[]>`
    SELECT * FROM bulk_operations WHERE team_id = ${teamId} AND status <> 'receiving' ${from}
    ORDER BY started_at DESC, operation_id DESC LIMIT ${limit}`;
  return rows.map(toOperation);
}

/** Ends an operation; tokens that nobody will use any more go with it. */
export async function endOperation(
  { sql }: Tx,
  operationId: string,
  end: { readonly status: 'success' | 'failure' | 'aborted'; readonly errorCode: string | null; readonly at: Date },
): Promise<void> {
  await sql`
    UPDATE bulk_operations SET status = ${end.status}, error_code = ${end.errorCode}, ended_at = ${end.at.toISOString()}, moved_at = clock_timestamp()
    WHERE operation_id = ${operationId}`;
  await sql`
    UPDATE bulk_items SET access_token = NULL, refresh_token = NULL, provider_user_id = NULL
    WHERE operation_id = ${operationId} AND outcome IS NULL`;
}

/** Notes that so many more items are done, and ends the operation with the last one. */
export async function countProcessed({ sql }: Tx, operationId: string, count: number, at: Date): Promise<{ readonly isOver: boolean }> {
  const [row] = await sql<{ is_over: boolean }[]>`
    UPDATE bulk_operations SET processed = processed + ${count}, moved_at = clock_timestamp(),
      status = CASE WHEN processed + ${count} >= total THEN 'success' ELSE status END,
      ended_at = CASE WHEN processed + ${count} >= total THEN ${at.toISOString()}::timestamptz END
    WHERE operation_id = ${operationId} AND status = 'in_progress' RETURNING processed >= total AS is_over`;
  return { isOver: row?.is_over ?? true };
}
