import { bulkExportBodyFor, BulkExportPage, neverExpires } from '@pulsewire/contract';
import { countLeftOut, exportConnections, type Recipe } from '@pulsewire/connections';
import type { Connector } from '@pulsewire/providers';
import { defineRoute } from '../../../../route/route.ts';
import { readCursor, uuidShape, writeCursor } from '../../../../validate/list-cursor.ts';
import { admitBulk, oauthSlugs } from './gate.ts';

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
export const exportConnectionsRoute = (connectors: readonly Connector[]) =>
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
