import { randomUUID } from 'node:crypto';
import { AppError } from '@pulsewire/kernel';
import { markReplaced } from './replaced.ts';
import { countSettled } from '../operation-status/progress.ts';
import { addItems, beginUpload, discardUpload, startImport, type UploadedItem } from '../operation-status/upload.ts';
import type { BulkContext } from '../operations/context.ts';
import { getOperation, type BulkOperation } from '../operations/operation.ts';
import { assertTeamApplication } from '../operations/team-application.ts';
import { itemContext } from '../../model/seal-contexts.ts';

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
  let count = 0;
  await beginUpload(database, { operationId, teamId, logoBaseUrl }, clock.now());

  return {
    operationId,
    async add(recipes) {
      if (recipes.length === 0) return;
      const seal = (token: string | null, item: number, column: 'access_token' | 'refresh_token') =>
        token === null ? null : cipher.seal(token, itemContext(operationId, item, column));
      const items = recipes.map((recipe, place): UploadedItem => {
        const item = count + place;
        return {
          ...recipe,
          item,
          accessToken: seal(recipe.accessToken, item, 'access_token'),
          refreshToken: seal(recipe.refreshToken, item, 'refresh_token'),
        };
      });
      if ((await addItems(database, operationId, items)) !== recipes.length) throw uploadLost();
      count += recipes.length;
    },
    finish: (provider) =>
      database.transaction(async (tx) => {
        await assertTeamApplication(tx, teamId, provider);
        if (!(await startImport(tx, operationId, provider, count, clock.now()))) throw uploadLost();
        await markReplaced(tx, operationId);
        await countSettled(tx, operationId);
        if (count > 0) await context.requestWork(tx, operationId);
        return getOperation(tx, teamId, operationId);
      }),
    discard: () => database.transaction((tx) => discardUpload(tx, operationId)),
  };
}
