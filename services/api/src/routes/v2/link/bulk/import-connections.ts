import { bulkImportBodyFor, BulkImportResult } from '@pulsewire/contract';
import { openImport, readImportResult, type BulkOperation } from '@pulsewire/connections';
import type { Connector } from '@pulsewire/providers';
import type { KeyContext } from '../../../../context/context.ts';
import type { RawRequest } from '../../../../context/raw-request.ts';
import { defineRoute } from '../../../../route/route.ts';
import type { SchemaNode } from '../../../../validate/schema-node.ts';
import { admitBulk, logoBaseUrlOf, oauthSlugs, operationHeader } from './gate.ts';
import { readRecipes } from './read-recipes.ts';
import { waitForEnd } from './wait-for-end.ts';

interface Received {
  readonly operation: BulkOperation;
  readonly isWaiting: boolean;
}

async function receive(context: KeyContext, raw: RawRequest, fieldsSchema: SchemaNode): Promise<Received> {
  const upload = await openImport(context.bulk, context.team.teamId, logoBaseUrlOf(context));
  try {
    const fields = await readRecipes(raw, fieldsSchema, (recipes) => upload.add(recipes));
    return { operation: await upload.finish(String(fields['provider'])), isWaiting: fields['wait_for_completion'] === true };
  } catch (error) {
    // If this fails too, the cleanup of incomplete uploads deletes it.
    await upload.discard().catch((cause: unknown) => context.logger.warn({ error: cause }, 'bulk.upload_discard_failed'));
    throw error;
  }
}

/** POST /v2/link/bulk_import. */
export const importConnectionsRoute = (connectors: readonly Connector[]) => {
  const body = bulkImportBodyFor(oauthSlugs(connectors));
  const { connections: _, ...properties } = body.properties;
  const fieldsSchema: SchemaNode = { type: 'object', properties, required: ['provider'] };
  return defineRoute({
    method: 'POST',
    path: '/v2/link/bulk_import',
    operationId: 'bulkImport',
    area: 'linking',
    auth: 'key',
    scope: 'bulk',
    summary: 'Import existing connections',
    description:
      "Imports into the team's own OAuth application. The recipes are stored and processed in the background. Disabled until the operator enables it for the team.",
    body,
    streamsBody: true,
    responses: {
      200: { description: 'With `wait`: all items are done.', schema: BulkImportResult },
      202: { description: 'Stored; the progress so far.', schema: BulkImportResult },
    },
    failures: [400, 403, 503],
    admit: admitBulk,
    async handler(context, { raw }) {
      const { operation, isWaiting } = await receive(context, raw, fieldsSchema);
      const { operationId, status } = isWaiting ? await waitForEnd(context, operation) : operation;
      const { imported, failed } = await readImportResult(context.database, operationId);
      return {
        status: isWaiting && status !== 'in_progress' ? 200 : 202,
        headers: { [operationHeader]: operationId },
        body: { user_ids_imported: imported, user_ids_failed: failed },
        concerns: { target: { operation_id: operationId, items: String(operation.total) } },
      };
    },
  });
};
