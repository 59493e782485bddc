import { run } from '@pulsewire/database';
import type { UpdateWebhookBody, WebhookBody } from '@pulsewire/contract';
import { webhookEndpoints } from '../tables.ts';
import { checkFilterTypes, checkUrl } from './checks.ts';
import type { EndpointContext } from './context.ts';
import { byTeamAndId, findEndpointRow, toWebhookBody } from './row.ts';

/**
 * Changes what the body names; what it leaves out stays. Null clears description, rate limit and filter; url and disabled have no
 * null, so there it means "unchanged". Throws AppErrors `endpoint_not_found`, `endpoint_url_refused`, `event_type_unknown`.
 */
export async function updateEndpoint(
  context: EndpointContext,
  teamId: string,
  endpointId: string,
  body: UpdateWebhookBody,
): Promise<WebhookBody> {
  const { database, clock, guard } = context;
  return database.transaction(async (tx) => {
    const row = await findEndpointRow(tx, teamId, endpointId, 'for_update');
    const isDisabled = body.disabled ?? row.isDisabled;
    const [changed] = await run(
      tx.orm
        .update(webhookEndpoints)
        .set({
          url: body.url === undefined || body.url === null ? row.url : checkUrl(body.url, guard),
          description: body.description,
          rateLimit: body.rate_limit,
          filterTypes: body.filter_types === undefined ? row.filterTypes : checkFilterTypes(body.filter_types),
          isDisabled,
          disabledReason: isDisabled ? (row.isDisabled ? row.disabledReason : 'requested') : null,
          failingSince: row.isDisabled && !isDisabled ? null : row.failingSince,
          updatedAt: clock.now().toISOString(),
        })
        .where(byTeamAndId(teamId, endpointId))
        .returning(),
    );
    return toWebhookBody(changed as NonNullable<typeof changed>);
  });
}
