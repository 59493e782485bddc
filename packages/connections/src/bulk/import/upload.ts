import { randomUUID } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import { AppError } from '@pulsewire/kernel';
import { byteaArray, plainArray, run, textArray } from '@pulsewire/database';
import { bulkItems, bulkOperations } from '../../model/bulk-tables.ts';
import { itemContext } from '../../model/seal-contexts.ts';
import type { BulkContext } from '../operations/context.ts';
import { getOperation, type BulkOperation } from '../operations/operation.ts';
import { assertTeamApplication } from '../operations/team-application.ts';
import { markReplaced } from './mark-replaced.ts';

/** A connection recipe of a request, validated. Never logged. */
export interface Recipe {
  readonly userId: string;
  readonly accessToken: string;
  /** Null when the provider issues none. */
  readonly refreshToken: string | null;
  readonly providerUserId: string;
  /** Null: never. */
  readonly expiresAt: Date | null;
  /** Null: unknown. */
  readonly scopes: readonly string[] | null;
}

/** An import whose body is being received. It is invisible and not processed before `finish`. */
export interface ImportUpload {
  readonly operationId: string;
  /** Stores the next recipes with encrypted tokens. Throws AppError `bulk_upload_lost` when the upload was deleted as abandoned. */
  add(recipes: readonly Recipe[]): Promise<void>;
  /** All recipes are stored: starts the operation. Throws AppError `team_credential_missing` or `bulk_upload_lost`. */
  finish(provider: string): Promise<BulkOperation>;
  /** Deletes the upload. */
  discard(): Promise<void>;
}

function uploadLost(): AppError {
  return new AppError({
    code: 'bulk_upload_lost',
    kind: 'unavailable',
    message: 'The upload took too long; send it again',
    retryable: true,
  });
}

/** Starts the upload of an import. `logoBaseUrl` is used in the events that the import emits. */
export async function openImport(context: BulkContext, teamId: string, logoBaseUrl: string): Promise<ImportUpload> {
  const { database, cipher, clock } = context;
  const operationId = randomUUID();
  const isReceiving = and(eq(bulkOperations.operationId, operationId), eq(bulkOperations.status, 'receiving'));
  const movedAt = sql`clock_timestamp()`;
  let count = 0;
  const upload = { operationId, teamId, type: 'link_bulk_import', status: 'receiving', logoBaseUrl, movedAt } as const;
  await run(database.orm.insert(bulkOperations).values({ ...upload, startedAt: clock.now() }));

  return {
    operationId,
    async add(recipes) {
      if (recipes.length === 0) return;
      const items = recipes.map((recipe, place) => ({ ...recipe, item: count + place }));
      const seal = (token: string | null, item: number, column: 'access_token' | 'refresh_token') =>
        token === null ? null : cipher.seal(token, itemContext(operationId, item, column));
      // One statement, so that a concurrent deletion either includes these rows or comes too late.
      const result = await database.sql`
        WITH moved AS (
          UPDATE bulk_operations SET moved_at = clock_timestamp() WHERE operation_id = ${operationId} AND status = 'receiving' RETURNING 1 AS one)
        INSERT INTO bulk_items (operation_id, item, user_id, provider_user_id, access_token, refresh_token, expires_at, scopes)
        SELECT ${operationId}::uuid, n.item, n.user_id, n.provider_user_id, n.access_token, n.refresh_token, n.expires_at,
          CASE WHEN n.scopes IS NOT NULL THEN ARRAY(SELECT jsonb_array_elements_text(n.scopes::jsonb)) END
        FROM moved, unnest(
          ${plainArray(items.map(({ item }) => item))}::int[], ${plainArray(items.map(({ userId }) => userId))}::uuid[],
          ${textArray(items.map(({ providerUserId }) => providerUserId))}::text[],
          ${byteaArray(items.map(({ accessToken, item }) => seal(accessToken, item, 'access_token')))}::bytea[],
          ${byteaArray(items.map(({ refreshToken, item }) => seal(refreshToken, item, 'refresh_token')))}::bytea[],
          ${textArray(items.map(({ expiresAt }) => expiresAt?.toISOString() ?? null))}::timestamptz[],
          ${textArray(items.map(({ scopes }) => (scopes === null ? null : JSON.stringify(scopes))))}::text[]
        ) AS n(item, user_id, provider_user_id, access_token, refresh_token, expires_at, scopes)`;
      if (result.count !== recipes.length) throw uploadLost();
      count += recipes.length;
    },
    finish: (provider) =>
      database.transaction(async (tx) => {
        await assertTeamApplication(tx, teamId, provider);
        const started = { status: 'in_progress', provider, total: count, startedAt: clock.now(), movedAt } as const;
        const { count: begun } = await run(tx.orm.update(bulkOperations).set(started).where(isReceiving));
        if (begun === 0) throw uploadLost();
        const replaced = await markReplaced(tx, operationId);
        const ended = count === 0 ? { status: 'success' as const, endedAt: sql`${bulkOperations.startedAt}` } : {};
        await run(
          tx.orm
            .update(bulkOperations)
            .set({ processed: replaced, ...ended })
            .where(eq(bulkOperations.operationId, operationId)),
        );
        if (count > 0) await context.requestWork(tx, operationId);
        return getOperation(tx, teamId, operationId);
      }),
    discard: () =>
      database.transaction(async ({ orm }) => {
        const gone = await run(orm.delete(bulkOperations).where(isReceiving));
        if (gone.count > 0) await run(orm.delete(bulkItems).where(eq(bulkItems.operationId, operationId)));
      }),
  };
}
