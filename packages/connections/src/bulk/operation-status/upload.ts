import { and, eq, sql as fragment } from 'drizzle-orm';
import { byteaArray, plainArray, run, textArray, type Executor, type Tx } from '@pulsewire/database';
import { bulkItems, bulkOperations } from '../../model/bulk-tables.ts';

const isReceiving = (operationId: string) => and(eq(bulkOperations.operationId, operationId), eq(bulkOperations.status, 'receiving'));
const movedAt = fragment`clock_timestamp()`;

/** Begins the upload of an import. */
export async function beginUpload(
  { orm }: Executor,
  upload: { readonly operationId: string; readonly teamId: string; readonly logoBaseUrl: string },
  now: Date,
): Promise<void> {
  await run(orm.insert(bulkOperations).values({ ...upload, type: 'link_bulk_import', status: 'receiving', movedAt, startedAt: now }));
}

/** A received recipe with encrypted tokens. */
export interface UploadedItem {
  readonly item: number;
  readonly userId: string;
  readonly providerUserId: string;
  readonly accessToken: Buffer | null;
  readonly refreshToken: Buffer | null;
  readonly expiresAt: Date | null;
  readonly scopes: readonly string[] | null;
}

/** Stores items of an upload. Returns how many: none when the upload was deleted in the meantime. */
export async function addItems({ sql }: Executor, operationId: string, items: readonly UploadedItem[]): Promise<number> {
  // One statement, so that a concurrent deletion either includes these rows or comes too late.
  const { count } = await sql`
    WITH moved AS (
      UPDATE bulk_operations SET moved_at = clock_timestamp() WHERE operation_id = ${operationId} AND status = 'receiving' RETURNING 1 AS one)
    INSERT INTO bulk_items (operation_id, item, user_id, provider_user_id, access_token, refresh_token, expires_at, scopes)
    SELECT ${operationId}::uuid, n.item, n.user_id, n.provider_user_id, n.access_token, n.refresh_token, n.expires_at,
      CASE WHEN n.scopes IS NOT NULL THEN ARRAY(SELECT jsonb_array_elements_text(n.scopes::jsonb)) END
    FROM moved, unnest(
      ${plainArray(items.map(({ item }) => item))}::int[], ${plainArray(items.map(({ userId }) => userId))}::uuid[],
      ${textArray(items.map(({ providerUserId }) => providerUserId))}::text[],
      ${byteaArray(items.map(({ accessToken }) => accessToken))}::bytea[], ${byteaArray(items.map(({ refreshToken }) => refreshToken))}::bytea[],
      ${textArray(items.map(({ expiresAt }) => expiresAt?.toISOString() ?? null))}::timestamptz[],
      ${textArray(items.map(({ scopes }) => (scopes === null ? null : JSON.stringify(scopes))))}::text[]
    ) AS n(item, user_id, provider_user_id, access_token, refresh_token, expires_at, scopes)`;
  return count;
}

/** Starts an import whose items are all stored; false when the upload was deleted in the meantime. */
export async function startImport({ orm }: Tx, operationId: string, provider: string, total: number, now: Date): Promise<boolean> {
  const started = { status: 'in_progress', provider, total, startedAt: now, movedAt } as const;
  const { count } = await run(orm.update(bulkOperations).set(started).where(isReceiving(operationId)));
  return count > 0;
}

/** Deletes an upload with its items. */
export async function discardUpload({ orm }: Tx, operationId: string): Promise<void> {
  const { count } = await run(orm.delete(bulkOperations).where(isReceiving(operationId)));
  if (count > 0) await run(orm.delete(bulkItems).where(eq(bulkItems.operationId, operationId)));
}
