import { BulkDone, bulkPauseBodyFor } from '@pulsewire/contract';
import { pauseConnections } from '@pulsewire/connections';
import type { Connector } from '@pulsewire/providers';
import { defineRoute, ok } from '../../../../route/route.ts';
import { admitBulk, oauthSlugs } from './gate.ts';

/** POST /v2/link/bulk_pause. */
export const pauseConnectionsRoute = (connectors: readonly Connector[]) =>
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
