import { BulkDone, bulkTriggerBodyFor } from '@pulsewire/contract';
import { triggerHistory } from '@pulsewire/connections';
import type { Connector } from '@pulsewire/providers';
import { defineRoute } from '../../../../route/route.ts';
import { admitBulk, logoBaseUrlOf, oauthSlugs, operationHeader } from './gate.ts';
import { waitForEnd } from './wait-for-end.ts';

/** POST /v2/link/bulk_trigger_historical_pull. */
export const triggerHistoricalPullRoute = (connectors: readonly Connector[]) =>
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
