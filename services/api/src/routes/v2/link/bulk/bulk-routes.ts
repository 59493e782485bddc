import {
  bulkDisabled,
  getOperation,
  type BulkOperation,
  openImport,
  readImportResult,
  triggerHistory,
  countLeftOut,
  exportConnections,
  type Recipe,
  pauseConnections,
} from '@pulsewire/connections';
import {
  bulkImportBodyFor,
  BulkImportResult,
  BulkDone,
  bulkTriggerBodyFor,
  bulkExportBodyFor,
  BulkExportPage,
  neverExpires,
  bulkPauseBodyFor,
} from '@pulsewire/contract';
import { sleep } from '@pulsewire/kernel';
import type { Connector } from '@pulsewire/providers';
import type { KeyContext } from '../../../../context/context.ts';
import type { RawRequest } from '../../../../context/raw-request.ts';
import { defineRoute, ok, type Route } from '../../../../route/route.ts';
import { listItemsRoute, listOperationsRoute } from './operations.ts';
import { readRecipes } from './read-recipes.ts';
import { readCursor, uuidShape, writeCursor } from '../../../../validate/list-cursor.ts';
import type { SchemaNode } from '../../../../validate/schema-node.ts';

/** Admits only teams for which an operator has enabled bulk operations. Throws AppError `bulk_disabled` (403). */
function admitBulk({ team }: KeyContext): null {
  if (!team.bulkOperations) throw bulkDisabled();
  return null;
}

/** Supported slugs: providers with connections of an OAuth application. */
function oauthSlugs(connectors: readonly Connector[]): readonly string[] {
  return connectors.filter(({ oauth }) => oauth !== null).map(({ slug }) => slug);
}

/** Base URL of the logos in events. */
const logoBaseUrlOf = (context: KeyContext): string => `${context.links.baseUrl()}/logos`;

/** The header that names the operation, because the body has no field for it. */
const operationHeader = 'x-bulk-operation-id';

const waitMaxMs = 20_000;
const firstPollMs = 50;
const pollMaxMs = 500;

/** Waits for the end of an operation, at most 20 seconds; returns its current state. */
async function waitForEnd({ database, clock }: KeyContext, operation: BulkOperation): Promise<BulkOperation> {
  const endMs = clock.monotonicMs() + waitMaxMs;
  let current = operation;
  for (
    let pollMs = firstPollMs;
    current.status === 'in_progress' && clock.monotonicMs() < endMs;
    pollMs = Math.min(pollMs * 2, pollMaxMs)
  ) {
    await sleep(Math.min(pollMs, Math.max(1, endMs - clock.monotonicMs())));
    current = await getOperation(database, operation.teamId, operation.operationId);
  }
  return current;
}

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
const importConnectionsRoute = (connectors: readonly Connector[]) => {
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

/** POST /v2/link/bulk_trigger_historical_pull. */
const triggerHistoricalPullRoute = (connectors: readonly Connector[]) =>
  defineRoute({
    method: 'POST',
    path: '/v2/link/bulk_trigger_historical_pull',
    operationId: 'bulkTriggerHistoricalPull',
    area: 'linking',
    auth: 'key',
    waitsForOthers: true,
    scope: 'bulk',
    summary: 'Pull the history of connections again',
    description: 'Pulls start at the rate that each provider allows. An item is processed once its pull has started.',
    body: bulkTriggerBodyFor(oauthSlugs(connectors)),
    responses: {
      200: { description: 'With `wait`: every pull has started or failed.', schema: BulkDone },
      202: { description: 'Queued.', schema: BulkDone },
    },
    failures: [403],
    admit: admitBulk,
    async handler(context, { body }) {
      const { provider, user_ids: userIds } = body;
      const queued = await triggerHistory(context.bulk, {
        teamId: context.team.teamId,
        provider,
        userIds,
        logoBaseUrl: logoBaseUrlOf(context),
      });
      const { operationId, status } = body.wait_for_completion ? await waitForEnd(context, queued) : queued;
      const isDone = body.wait_for_completion && status !== 'in_progress';
      return {
        status: isDone ? 200 : 202,
        headers: { [operationHeader]: operationId },
        body: {},
        concerns: { target: { operation_id: operationId } },
      };
    },
  });

const pageSize = 500;

function render(recipe: Recipe) {
  return {
    user_id: recipe.userId,
    access_token: recipe.accessToken,
    refresh_token: recipe.refreshToken ?? '',
    provider_id: recipe.providerUserId,
    expires_at: recipe.expiresAt === null ? neverExpires : Math.floor(recipe.expiresAt.getTime() / 1000),
    oauth_scopes: recipe.scopes,
  };
}

/** POST /v2/link/bulk_export. */
const exportConnectionsRoute = (connectors: readonly Connector[]) =>
  defineRoute({
    method: 'POST',
    path: '/v2/link/bulk_export',
    operationId: 'bulkExport',
    area: 'linking',
    auth: 'key',
    waitsForOthers: true,
    scope: 'bulk',
    exports: true,
    summary: 'Export connections as recipes',
    description:
      "Connections of the team's own OAuth application, ordered by user. `left_out` counts the others by reason. Pause them first: a token that is refreshed in the meantime is useless in the export.",
    body: bulkExportBodyFor(oauthSlugs(connectors)),
    responses: { 200: { description: 'A page of recipes, with tokens in plain text.', schema: BulkExportPage } },
    failures: [400, 403],
    admit: admitBulk,
    async handler(context, { body }) {
      const { provider, user_ids: userIds = null, next_token: token } = body;
      const filter = { teamId: context.team.teamId, provider, userIds };
      const [after = null] = readCursor(token, { filter, shape: [uuidShape], loc: ['body', 'next_token'] }) ?? [];
      const found = await exportConnections(context.bulk, { teamId: context.team.teamId, provider, userIds, after, limit: pageSize + 1 });
      const page = found.slice(0, pageSize);
      const last = found.length > pageSize ? page.at(-1) : undefined;
      const leftOut = await countLeftOut(context.database, filter);
      const left = {
        platform_application: leftOut.platformApplication,
        in_error: leftOut.inError,
        not_connected: leftOut.notConnected,
      };
      return {
        status: 200,
        headers: { 'cache-control': 'no-store' },
        body: { data: page.map(render), next_token: last ? writeCursor(filter, [last.userId]) : null, left_out: left },
      };
    },
  });

/** POST /v2/link/bulk_pause. */
const pauseConnectionsRoute = (connectors: readonly Connector[]) =>
  defineRoute({
    method: 'POST',
    path: '/v2/link/bulk_pause',
    operationId: 'bulkPause',
    area: 'linking',
    auth: 'key',
    waitsForOthers: true,
    scope: 'bulk',
    summary: 'Pause connections',
    description: 'Stops token refresh and polling; users without a connection are skipped. Call this before an export.',
    body: bulkPauseBodyFor(oauthSlugs(connectors)),
    responses: { 200: { description: 'Paused; no token is refreshed any more.', schema: BulkDone } },
    failures: [403],
    admit: admitBulk,
    async handler(context, { body }) {
      const { onPaused } = context.bulk;
      await pauseConnections(context.bulk, { teamId: context.team.teamId, provider: body.provider, userIds: body.user_ids, onPaused });
      return ok({});
    },
  });

/** Bulk operations. */
export const bulkRoutes = (connectors: readonly Connector[]): readonly Route[] => [
  importConnectionsRoute(connectors),
  triggerHistoricalPullRoute(connectors),
  exportConnectionsRoute(connectors),
  pauseConnectionsRoute(connectors),
  listOperationsRoute,
  listItemsRoute,
];
